//go:build e2e

package e2e

import (
	"fmt"
	"strings"
)

// testImage is in the images folder of every test host.
const testImage = "gpuboot.test/busybox:1"

// echoPods is one pod per node that serves its own name, and a service over
// all of them.
const echoPods = `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: echo}
spec:
  selector: {matchLabels: {app: echo}}
  template:
    metadata: {labels: {app: echo}}
    spec:
      terminationGracePeriodSeconds: 0
      tolerations: [{operator: Exists}]
      containers:
      - name: echo
        image: ` + testImage + `
        imagePullPolicy: Never
        env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
        command: [sh, -c, 'mkdir -p /www; echo "$NODE" >/www/index.html; exec httpd -f -p 8080 -h /www']
        readinessProbe: {httpGet: {path: /, port: 8080}, periodSeconds: 1}
---
apiVersion: v1
kind: Service
metadata: {name: echo}
spec:
  selector: {app: echo}
  ports: [{port: 80, targetPort: 8080}]
`

// kubectl runs kubectl on a server.
func (l *lab) kubectl(server, args string) string {
	l.t.Helper()
	return l.on(server, "k3s kubectl "+args)
}

type pod struct{ name, node, ip string }

// echo starts a pod on each node and waits until all are ready.
func (l *lab) echo(server string, nodes int) []pod {
	l.t.Helper()
	l.on(server, "k3s kubectl apply -f - <<'END'"+echoPods+"END\n")
	l.kubectl(server, "rollout status daemonset/echo --timeout=120s")
	var pods []pod
	for line := range strings.Lines(l.kubectl(server, `get pods -l app=echo -o jsonpath='{range .items[*]}{.metadata.name} {.spec.nodeName} {.status.podIP}{"\n"}{end}'`)) {
		if f := strings.Fields(line); len(f) == 3 {
			pods = append(pods, pod{f[0], f[1], f[2]})
		}
	}
	if len(pods) != nodes {
		l.t.Fatalf("%d echo pods, want one on each of %d nodes: %v", len(pods), nodes, pods)
	}
	return pods
}

// checkTraffic asks every pod from every pod, and the service from every pod.
func (l *lab) checkTraffic(server string, pods []pod) {
	l.t.Helper()
	service := strings.TrimSpace(l.kubectl(server, "get service echo -o jsonpath='{.spec.clusterIP}'"))
	for _, from := range pods {
		for _, to := range pods {
			if got := l.ask(server, from, to.ip, 8080); got != to.node {
				l.t.Errorf("pod on %s asked pod on %s and got %q", from.node, to.node, got)
			}
		}
		if got := l.ask(server, from, service, 80); got == "" {
			l.t.Errorf("pod on %s got nothing from the service", from.node)
		}
	}
	l.t.Logf("traffic: %d pod pairs and the service from %d pods", len(pods)*len(pods), len(pods))
}

// ask gets the page of an echo pod from inside another pod. It uses nc: the
// static busybox's wget crashes in its resolver.
func (l *lab) ask(server string, from pod, address string, port int) string {
	l.t.Helper()
	return strings.TrimSpace(l.kubectl(server, fmt.Sprintf(`exec %s -- sh -c 'printf "GET / HTTP/1.0\r\n\r\n" | nc -w 5 %s %d | tail -n 1'`, from.name, address, port)))
}
