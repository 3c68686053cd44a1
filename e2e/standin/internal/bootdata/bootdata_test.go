package bootdata

import (
	"bytes"
	"testing"
)

func TestOnlyTheSameTokenOpens(t *testing.T) {
	t.Parallel()
	sealed, err := Encrypt("one", []byte("keys"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decrypt("one", sealed); err != nil || !bytes.Equal(got, []byte("keys")) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := Decrypt("two", sealed); err == nil {
		t.Error("another token opened it")
	}
	if Key("one") == Key("two") {
		t.Error("two tokens share a key")
	}
}
