package remote

import "io"

const (
	firstBuffer = 512
	lastBuffer  = 32 << 10 // the most that fits one SSH packet
)

// transfer is io.Copy with a buffer that begins small and grows while it is
// filled. Commands that wait in silence, such as a lock that is held, are three
// of these for each host: with a thousand hosts io.Copy's buffers alone would be
// a hundred megabytes.
func transfer(dst io.Writer, src io.Reader) (n int64, err error) {
	buf := make([]byte, firstBuffer)
	for {
		got, readErr := src.Read(buf)
		if got > 0 {
			put, err := dst.Write(buf[:got])
			n += int64(put)
			if err == nil && put < got {
				err = io.ErrShortWrite
			}
			if err != nil {
				return n, err
			}
		}
		if readErr == io.EOF {
			return n, nil
		}
		if readErr != nil {
			return n, readErr
		}
		if got == len(buf) && len(buf) < lastBuffer {
			buf = make([]byte, 4*len(buf))
		}
	}
}
