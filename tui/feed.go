package tui

import (
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

const (
	// frameEvery is the shortest time between two pictures: 15 a second.
	frameEvery = 66 * time.Millisecond
	// clockEvery is the longest, so that running times go on where nothing happens.
	clockEvery = time.Second
)

// feed is where events meet the screen. The caller of take folds the event
// itself, in a microsecond or two: there is no queue that could grow or lose
// something, and the screen asks for a picture when it wants one.
type feed struct {
	clock func() time.Time // nil: the time of the latest event

	mu     sync.Mutex
	board  board
	closed bool
	rest   engine.Sink // takes events as well once the view was left
	left   bool
	dirty  chan struct{} // one token: something happened since the last picture
}

func newFeed(clock func() time.Time, rest engine.Sink) *feed {
	return &feed{clock: clock, rest: rest, dirty: make(chan struct{}, 1)}
}

func (f *feed) take(e engine.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.board.apply(e)
	f.wake()
	if f.left {
		f.rest.Emit(e)
	}
}

// close says that no more events come.
func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.wake()
}

// leave hands what comes from now on to the sink that takes over.
func (f *feed) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = true
}

func (f *feed) wake() {
	select {
	case f.dirty <- struct{}{}:
	default:
	}
}

// picture takes a snapshot now.
func (f *feed) picture(focus string) *snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.board.snapshot(f.board.now(f.clock), focus)
	s.closed = f.closed
	return s
}

// frameMsg brings a picture. Only the loop's own ones ask for the next.
type frameMsg struct {
	snap *snapshot
	loop bool
}

// next waits until something has happened, or a second, and not less than a
// frame's time.
func (f *feed) next(focus string) tea.Cmd {
	return func() tea.Msg {
		<-time.After(frameEvery)
		select {
		case <-f.dirty:
		case <-time.After(clockEvery - frameEvery):
		}
		return frameMsg{f.picture(focus), true}
	}
}

// look takes a picture at once, for a page that was just opened.
func (f *feed) look(focus string) tea.Cmd {
	return func() tea.Msg { return frameMsg{f.picture(focus), false} }
}
