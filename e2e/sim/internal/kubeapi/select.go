package kubeapi

import (
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

// selector picks objects by labels and fields.
type selector struct {
	labels labels.Selector
	fields fields.Selector
}

func newSelector(q url.Values) (selector, error) {
	byLabel, err := labels.Parse(q.Get("labelSelector"))
	if err != nil {
		return selector{}, apierrors.NewBadRequest(err.Error())
	}
	byField, err := fields.ParseSelector(q.Get("fieldSelector"))
	if err != nil {
		return selector{}, apierrors.NewBadRequest(err.Error())
	}
	return selector{byLabel, byField}, nil
}

// matches looks at any field by its path; the real server knows a few for each
// kind and refuses the others.
func (s selector) matches(o *Object) bool {
	if o == nil {
		return false
	}
	if !s.labels.Empty() && !s.labels.Matches(labels.Set(labelsOf(o.Map))) {
		return false
	}
	return s.fields.Empty() || s.fields.Matches(fieldsOf{o.Map})
}

// fieldsOf reads an object's fields by their paths.
type fieldsOf struct{ m map[string]any }

// Has says that every field may be asked for.
func (f fieldsOf) Has(string) bool { return true }

// Get gives a field's value, "" where there is none.
func (f fieldsOf) Get(path string) string { return scalar(f.m, path) }
