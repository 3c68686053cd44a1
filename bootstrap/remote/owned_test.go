package remote_test

import (
	"io/fs"
	"syscall"
)

const nonBlock = syscall.O_NONBLOCK

func owned(info fs.FileInfo, uid, gid uint32) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Uid == uid && s.Gid == gid
}
