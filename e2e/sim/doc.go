// Package sim is a fleet of simulated GPU hosts on the real wire: SSH servers
// in this process, on loopback addresses of their own, each with a small model
// of a host behind it that becomes a k3s node, and the Kubernetes API of the
// cluster they form. gpuboot meets it as it meets real machines, so one model
// serves the demo, the scale benchmarks and the fault tests.
//
// What it is honest about: kernel, kubelet and operating system say "simulated",
// every node has the label gpuboot.dev/simulated, and [Banner] is for whoever
// shows any of it to people. What it does not do: run k3s, containers, CUDA or
// any program; prove that a real host would behave the same (the scenarios of
// package e2e do that, on real machines); hold secrets worth anything.
package sim

// Banner says what a fleet is. Print it wherever people see one.
const Banner = "SIMULATED: no machine, GPU or Kubernetes here is real. The SSH connections, the plan and every step of gpuboot are."
