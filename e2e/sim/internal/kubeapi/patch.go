package kubeapi

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

func (a *API) patch(w http.ResponseWriter, q *request) error {
	data, err := io.ReadAll(q.Body)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	kind, _, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	if types.PatchType(kind) == types.ApplyPatchType {
		return a.apply(w, q, data)
	}
	return a.modify(w, q, func(now map[string]any) (map[string]any, error) {
		old, err := json.Marshal(now)
		if err != nil {
			return nil, err
		}
		next, err := q.patched(types.PatchType(kind), old, data)
		if err != nil {
			return nil, err
		}
		return decode(next)
	})
}

// patched applies one of the patch types that have no memory.
func (q *request) patched(kind types.PatchType, old, data []byte) ([]byte, error) {
	var next []byte
	var err error
	switch kind {
	case types.MergePatchType:
		next, err = jsonpatch.MergePatch(old, data)
	case types.JSONPatchType:
		var p jsonpatch.Patch
		if p, err = jsonpatch.DecodePatch(data); err == nil {
			next, err = p.Apply(old)
		}
	case types.StrategicMergePatchType:
		typed, terr := scheme.Scheme.New(q.res.gvk())
		if terr != nil {
			return nil, unsupported(kind)
		}
		next, err = strategicpatch.StrategicMergePatch(old, data, typed)
	default:
		return nil, unsupported(kind)
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return next, nil
}

func unsupported(kind types.PatchType) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType,
		Reason: metav1.StatusReasonUnsupportedMediaType, Message: fmt.Sprintf("the body of the request was in an unknown format: %s", kind)}}
}
