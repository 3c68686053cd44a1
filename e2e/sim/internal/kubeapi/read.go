package kubeapi

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
)

// asServed rewrites an object for the version it is asked in, where that is not
// the one it was stored in.
func (r resource) asServed(o *Object) []byte {
	want := r.GroupVersion().String()
	if !r.custom || text(o.Map, "apiVersion") == want {
		return o.JSON
	}
	m := copyOf(o.Map)
	m["apiVersion"] = want
	out, err := pack(m, o.Version)
	if err != nil {
		return o.JSON
	}
	return out.JSON
}

func (a *API) get(w http.ResponseWriter, q *request) error {
	o := a.Store.Get(q.res.GroupResource(), q.key())
	if o == nil {
		return q.missing()
	}
	writeRaw(w, http.StatusOK, q.res.asServed(o))
	return nil
}

// list gives all at once; the real server's pages are an offer, not a promise.
func (a *API) list(w http.ResponseWriter, q *request) error {
	sel, err := newSelector(q.URL.Query())
	if err != nil {
		return err
	}
	all, version := a.Store.List(q.res.GroupResource(), q.namespace)
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"kind":"%sList","apiVersion":%q,"metadata":{"resourceVersion":"%d"},"items":[`, q.res.Kind, q.res.GroupVersion().String(), version)
	n := 0
	for _, o := range all {
		if !sel.matches(o) {
			continue
		}
		if n++; n > 1 {
			b.WriteByte(',')
		}
		b.Write(q.res.asServed(o))
	}
	b.WriteString("]}")
	writeRaw(w, http.StatusOK, b.Bytes())
	return nil
}

func parseVersion(s string) (uint64, error) {
	if s == "" {
		return 0, nil
	}
	return strconv.ParseUint(s, 10, 64)
}
