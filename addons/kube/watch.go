package kube

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/gpuboot/gpuboot/bootstrap"
)

const (
	// reconnect is the pause before a lost watch is made anew: an API server
	// that restarts needs seconds.
	reconnect = 500 * time.Millisecond
	// watchSeconds is how long the server keeps one watch open. It bounds how
	// long a link that died without a word stays unnoticed.
	watchSeconds = 60
)

// WatchNodes calls fn with all nodes now and after each change, until ctx ends
// or fn returns false. A lost connection is made anew; lost hears of it.
func (c *Client) WatchNodes(ctx context.Context, fn func([]bootstrap.Node) bool, lost func(error)) error {
	for {
		more, err := c.watchOnce(ctx, fn)
		if !more {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			continue // the server ended the watch in good order
		}
		if lost != nil {
			lost(err)
		}
		select {
		case <-time.After(reconnect):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *Client) watchOnce(ctx context.Context, fn func([]bootstrap.Node) bool) (more bool, err error) {
	list, err := c.set.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return true, fmt.Errorf("listing nodes: %w", err)
	}
	nodes := convertAll(list.Items)
	if !fn(slices.Clone(nodes)) {
		return false, nil
	}
	seconds := int64(watchSeconds)
	w, err := c.watches.CoreV1().Nodes().Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion, TimeoutSeconds: &seconds})
	if err != nil {
		return true, fmt.Errorf("watching nodes: %w", err)
	}
	defer w.Stop()
	return follow(ctx, w, nodes, fn)
}

// follow folds a watch's events into the sorted list, until the watch ends. Only
// the node of an event is converted: with a thousand nodes that start, all of
// them at each event would be most of the work of a run.
func follow(ctx context.Context, w watch.Interface, nodes []bootstrap.Node, fn func([]bootstrap.Node) bool) (bool, error) {
	for {
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case e, open := <-w.ResultChan():
			if !open {
				return true, nil
			}
			n, ok := e.Object.(*corev1.Node)
			if !ok {
				return true, fmt.Errorf("watching nodes: %v", e.Object)
			}
			nodes = fold(nodes, n, e.Type)
			if !fn(slices.Clone(nodes)) {
				return false, nil
			}
		}
	}
}

// fold puts one event's node into the sorted list, or takes it out.
func fold(nodes []bootstrap.Node, n *corev1.Node, event watch.EventType) []bootstrap.Node {
	i, there := slices.BinarySearchFunc(nodes, n.Name, func(o bootstrap.Node, name string) int { return strings.Compare(o.Name, name) })
	switch {
	case event == watch.Deleted && there:
		return slices.Delete(nodes, i, i+1)
	case event == watch.Deleted:
		return nodes
	case there:
		nodes[i] = convert(n)
		return nodes
	}
	return slices.Insert(nodes, i, convert(n))
}
