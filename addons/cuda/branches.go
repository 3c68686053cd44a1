package cuda

// A Branch of drivers speaks one version of CUDA.
type Branch struct {
	Branch int
	CUDA   Version
	// Lowest is the oldest driver of the branch that was seen with this CUDA, mostly the one its toolkit came with.
	Lowest string
	// Until is the month up to which NVIDIA maintains a long-term or production branch, "2028-06"; "" where the table's
	// source gives none (short-lived branches) or the date has passed when the table was read.
	Until string
}

// Branches lists the branches from old to new.
func Branches() []Branch {
	return []Branch{
		{384, Version{9, 0}, "384.81", ""},
		{390, Version{9, 1}, "390.46", ""},
		{396, Version{9, 2}, "396.26", ""},
		{410, Version{10, 0}, "410.48", ""},
		{418, Version{10, 1}, "418.39", ""},
		{440, Version{10, 2}, "440.33", ""},
		{450, Version{11, 0}, "450.36.06", ""},
		{455, Version{11, 1}, "455.23", ""},
		{460, Version{11, 2}, "460.27.03", ""},
		{465, Version{11, 3}, "465.19.01", ""},
		{470, Version{11, 4}, "470.42.01", ""},
		{495, Version{11, 5}, "495.29.05", ""},
		{510, Version{11, 6}, "510.39.01", ""},
		{515, Version{11, 7}, "515.43.04", ""},
		{520, Version{11, 8}, "520.61.05", ""},
		{525, Version{12, 0}, "525.60.13", ""},
		{530, Version{12, 1}, "530.30.02", ""},
		{535, Version{12, 2}, "535.54.03", ""},
		{545, Version{12, 3}, "545.23.06", ""},
		{550, Version{12, 4}, "550.54.14", ""},
		{555, Version{12, 5}, "555.42.02", ""},
		{560, Version{12, 6}, "560.28.03", ""},
		{565, Version{12, 7}, "565.57.01", ""}, // no toolkit of that version was released
		{570, Version{12, 8}, "570.26", ""},
		{575, Version{12, 9}, "575.51.03", ""},
		{580, Version{13, 0}, "580.65.06", "2028-06"},
		{590, Version{13, 1}, "590.44.01", ""},
		{595, Version{13, 2}, "595.45.04", "2027-03"},
		{610, Version{13, 3}, "610.43.02", ""},
		{615, Version{13, 4}, "615.71.09", ""},
		{620, Version{13, 5}, "620.70.06", "2029-09"},
	}
}
