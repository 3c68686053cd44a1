package cuda

// Products lists names of GPUs. The first row that fits a name counts, so the longer names come first.
func Products() []Product {
	var all []Product
	for _, rows := range [][]Product{desks(), dataCentre(), chips()} {
		all = append(all, rows...)
	}
	return all
}

// desks are the boards whose names hold numbers that mean something else in another series.
func desks() []Product {
	rtx, quadro, geforce, titan := []string{"nvidiartx"}, []string{"quadro"}, []string{"geforce"}, []string{"titan"}
	return []Product{
		{Words: "RTX PRO 6000 BLACKWELL SERVER", Capability: Version{12, 0}, Class: DataCentre,
			Brands: []string{"nvidia", "nvidiartx"}, Lowest: "575.57.08"},
		{Words: "RTX PRO 4500 BLACKWELL SERVER", Capability: Version{12, 0}, Class: DataCentre, Brands: []string{"nvidia", "nvidiartx"}},
		{Words: "RTX PRO 6000 BLACKWELL WORKSTATION", Capability: Version{12, 0}, Class: Workstation, Brands: rtx, Lowest: "575.57.08"},
		{Words: "RTX PRO 6000", Capability: Version{12, 0}, Brands: []string{"nvidia", "nvidiartx"}, Lowest: "575.57.08"},
		{Words: "RTX PRO 4500", Capability: Version{12, 0}, Brands: []string{"nvidia", "nvidiartx"}},
		{Words: "RTX PRO %#00", Capability: Version{12, 0}, Class: Workstation, Brands: rtx},
		{Words: "RTX #### ADA", Capability: Version{8, 9}, Class: Workstation, Brands: rtx},
		{Words: "QUADRO RTX %000", Capability: Version{7, 5}, Class: Workstation, Brands: []string{"quadrortx", "quadro"}},
		{Words: "QUADRO GV100", Capability: Version{7, 0}, Class: Workstation, Brands: quadro},
		{Words: "QUADRO GP100", Capability: Version{6, 0}, Class: Workstation, Brands: quadro},
		{Words: "QUADRO P%#*", Capability: Version{6, 1}, Class: Workstation, Brands: quadro},
		{Words: "QUADRO T%000", Capability: Version{7, 5}, Class: Workstation, Brands: quadro},
		{Words: "RTX A%###*", Capability: Version{8, 6}, Class: Workstation, Brands: rtx},
		{Words: "RTX A%00", Capability: Version{8, 6}, Class: Workstation, Brands: rtx},
		{Words: "T1000", Capability: Version{7, 5}, Class: Workstation},
		{Words: "T600", Capability: Version{7, 5}, Class: Workstation},
		{Words: "T400", Capability: Version{7, 5}, Class: Workstation},
		{Words: "TITAN RTX", Capability: Version{7, 5}, Class: GeForce, Brands: titan},
		{Words: "TITAN V", Capability: Version{7, 0}, Class: GeForce, Brands: titan},
		{Words: "TITAN XP", Capability: Version{6, 1}, Class: GeForce, Brands: titan},
		{Words: "GTX TITAN X", Capability: Version{5, 2}, Class: GeForce, Brands: []string{"geforce", "titan"}},
		{Words: "TITAN X PASCAL", Capability: Version{6, 1}, Class: GeForce, Brands: []string{"geforce", "titan"}},
		{Words: "RTX 50%0*", Capability: Version{12, 0}, Class: GeForce, Brands: geforce},
		{Words: "RTX 40%0*", Capability: Version{8, 9}, Class: GeForce, Brands: geforce},
		{Words: "RTX 30%0*", Capability: Version{8, 6}, Class: GeForce, Brands: geforce},
		{Words: "RTX 20%0*", Capability: Version{7, 5}, Class: GeForce, Brands: geforce},
		{Words: "GTX 16%0*", Capability: Version{7, 5}, Class: GeForce, Brands: geforce},
		{Words: "GTX 10%0*", Capability: Version{6, 1}, Class: GeForce, Brands: geforce},
		{Words: "GTX 9%0*", Capability: Version{5, 2}, Class: GeForce, Brands: geforce},
	}
}

// dataCentre are the boards for servers, and what stands beside them.
func dataCentre() []Product {
	var all []Product
	add := func(capability Version, class Class, brands []string, names ...string) {
		for _, name := range names {
			all = append(all, Product{Words: name, Capability: capability, Class: class, Brands: brands})
		}
	}
	tesla, both := []string{"tesla"}, []string{"nvidia", "tesla"}
	for _, name := range []string{"GB300", "GB200", "GH200"} { // with a Grace processor
		p := Product{Words: name, Class: DataCentre, Brands: both, Arm: true}
		p.Capability = map[string]Version{"GB300": {10, 3}, "GB200": {10, 0}, "GH200": {9, 0}}[name]
		all = append(all, p)
	}
	all = append(all, Product{Words: "B200", Capability: Version{10, 0}, Class: DataCentre, Brands: both, Lowest: "570.133.20"},
		Product{Words: "GB10", Capability: Version{12, 1}, Arm: true})
	add(Version{10, 3}, DataCentre, both, "B300")
	add(Version{10, 0}, DataCentre, both, "B100")
	add(Version{9, 0}, DataCentre, both, "H200", "H100", "H100L", "H800", "H20")
	add(Version{8, 9}, DataCentre, both, "L40S", "L40", "L40G", "L20", "L4", "L2")
	add(Version{8, 0}, DataCentre, both, "A100", "A100X", "A800", "A30", "A30X")
	add(Version{8, 6}, DataCentre, both, "A40", "A16", "A10", "A10G", "A2")
	add(Version{7, 5}, DataCentre, both, "T4", "T4G")
	add(Version{7, 0}, DataCentre, tesla, "V100", "V100S")
	add(Version{6, 0}, DataCentre, tesla, "P100")
	add(Version{6, 1}, DataCentre, tesla, "P40", "P6", "P4")
	add(Version{5, 2}, DataCentre, tesla, "M60", "M40", "M6", "M4")
	add(Version{3, 7}, DataCentre, tesla, "K80")
	add(Version{3, 5}, DataCentre, tesla, "K40", "K40M", "K20", "K20X", "K20M")
	add(Version{8, 7}, Jetson, nil, "ORIN")
	return all
}

// chips are what lspci prints when it knows the chip and not the board: enough for the compute capability.
func chips() []Product {
	var all []Product
	for _, chip := range []struct {
		words      string
		capability Version
	}{
		{"GB20#*", Version{12, 0}}, {"GH100*", Version{9, 0}}, {"AD10#*", Version{8, 9}}, {"GA100*", Version{8, 0}},
		{"GA10%*", Version{8, 6}}, {"TU1##*", Version{7, 5}}, {"GV100*", Version{7, 0}}, {"GP100*", Version{6, 0}},
		{"GP10%*", Version{6, 1}}, {"GM20#*", Version{5, 2}},
	} {
		all = append(all, Product{Words: chip.words, Capability: chip.capability})
	}
	return all
}
