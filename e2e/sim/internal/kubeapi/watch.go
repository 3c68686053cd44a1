package kubeapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// bookmarkEvery is how often an idle watch is told its version.
const bookmarkEvery = 30 * time.Second

// watcher is one open watch.
type watcher struct {
	*API
	q    *request
	w    http.ResponseWriter
	sel  selector
	at   uint64 // the version up to which the client knows all
	bear bool   // it wants bookmarks
}

func (a *API) watch(w http.ResponseWriter, q *request) error {
	v := q.URL.Query()
	sel, err := newSelector(v)
	if err != nil {
		return err
	}
	at, err := parseVersion(v.Get("resourceVersion"))
	if err != nil {
		return apierrors.NewBadRequest("invalid resource version")
	}
	if q.name != "" {
		sel.fields = byName(q.name)
	}
	ctx := q.Context()
	if seconds, err := strconv.Atoi(v.Get("timeoutSeconds")); err == nil && seconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
		defer cancel()
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	x := &watcher{API: a, q: q, w: w, sel: sel, at: at, bear: v.Get("allowWatchBookmarks") == "true"}
	if at == 0 || v.Get("sendInitialEvents") == "true" {
		x.initial(v.Get("sendInitialEvents") == "true")
	}
	x.flush()
	x.follow(ctx)
	return nil
}

// initial sends what is there.
func (x *watcher) initial(mark bool) {
	all, version := x.Store.List(x.q.res.GroupResource(), x.q.namespace)
	for _, o := range all {
		if x.sel.matches(o) {
			x.send(watch.Added, x.q.res.asServed(o))
		}
	}
	x.at = version
	if mark {
		x.bookmark(`,"annotations":{"` + metav1.InitialEventsAnnotationKey + `":"true"}`)
	}
}

// follow sends what changes until the client or the time has gone.
func (x *watcher) follow(ctx context.Context) {
	for {
		some, cancel := context.WithTimeout(ctx, bookmarkEvery)
		events, gone, err := x.Store.Since(some, x.q.res.GroupResource(), x.at)
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case gone:
			x.send(watch.Error, []byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410,"message":"too old resource version"}`))
			x.flush()
			return
		case err != nil && x.bear:
			x.bookmark("")
		}
		for _, e := range events {
			x.event(e)
			x.at = e.Version
		}
		x.flush()
	}
}

// event sends a change as this watch sees it: an object that begins to match is
// new to it, one that ceases is gone.
func (x *watcher) event(e Event) {
	if ns := x.q.namespace; ns != "" && text(e.Object.Map, "metadata", "namespace") != ns {
		return
	}
	was, is := e.Old != nil && x.sel.matches(e.Old), e.Type != watch.Deleted && x.sel.matches(e.Object)
	switch data := x.q.res.asServed(e.Object); {
	case was && is:
		x.send(watch.Modified, data)
	case is:
		x.send(watch.Added, data)
	case was:
		x.send(watch.Deleted, data)
	}
}

func (x *watcher) bookmark(more string) {
	x.send(watch.Bookmark, fmt.Appendf(nil, `{"kind":%q,"apiVersion":%q,"metadata":{"resourceVersion":"%d","creationTimestamp":null%s}}`,
		x.q.res.Kind, x.q.res.GroupVersion().String(), x.at, more))
}

// send writes one event; a client that is gone ends the context.
func (x *watcher) send(t watch.EventType, data []byte) {
	_, _ = fmt.Fprintf(x.w, `{"type":%q,"object":%s}`+"\n", t, data)
}

func (x *watcher) flush() {
	_ = http.NewResponseController(x.w).Flush() // as send
}
