package facts

// rules is the register of all checks. A new rule is one function in the file
// of its topic, and its name here.
func rules() []rule {
	return []rule{
		// The host itself.
		notRoot(), factsIncomplete(), noSystemd(), systemdStarting(), unprivilegedContainer(), privilegedContainer(), kmsgMissing(),
		archUnsupported(), archMixed(), osUnknown(), kernelTooOld(), kernelModules(), modulesGone(),
		cgroupV1(), cgroupController(), memoryLow(), cpuLow(), swapActive(), inotifyLow(),
		clockSkew(), clockUnsynced(),
		// Space.
		diskSpace(), diskInodes(), dataDirType(), readOnlyMount(), noexecMount(),
		// Who is who.
		sameHostTwice(), hostnameDuplicate(), machineIDDuplicate(), productUUIDDuplicate(), macDuplicate(),
		// What is there already.
		otherCluster(), journalUnreadable(), k3sForeign(), k3sData(), k3sCrashLoop(), otherKubernetes(),
		clusterLeftovers(), dockerPresent(), dockerSnap(), portInUse(),
		// Network.
		nodeAddress(), addressDuplicate(), addressPublic(), mtuMixed(), noDefaultRoute(), cidrOverlap(), firewallActive(),
		addressUnreached(), portClosed(), pathMTU(), reachUntested(),
		nmCloudSetup(), proxyEnvironment(), resolverLoop(), ownName(), iptablesBuggy(),
		// Packages and policy.
		packageLock(), rebootPending(), cloudInitRunning(), selinuxEnforcing(),
		// GPUs.
		gpuCount(), gpuProduct(), gpuKernelDriver(), gpuPassthrough(), driverNotLoaded(), driverMismatch(), driverRefuses(),
		smiFailed(), gpuLost(), gpuErrors(), gpuMemory(), fabricManager(), fabricNotReady(), secureBoot(),
		// RDMA.
		rdmaPortDown(), peermemMissing(),
	}
}
