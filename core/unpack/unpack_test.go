package unpack

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// run is bytes of a linear congruential generator, modulo some number; 0: zeros.
type run struct{ seed, count, modulo int }

func content(runs []run) []byte {
	var all []byte
	for _, r := range runs {
		x := r.seed
		for range r.count {
			x = (x*1103515245 + 12345) % (1 << 31)
			if r.modulo == 0 {
				all = append(all, 0)
			} else {
				all = append(all, byte(x>>16%r.modulo))
			}
		}
	}
	return all
}

// streams are what XZ Utils 5.4 (Python's lzma) makes of some runs.
var streams = []struct {
	name   string
	runs   []run
	packed string
}{
	{"nothing", []run{},
		"/Td6WFoAAAFpIt42AAAAABzfRCGQQpkNAQAAAAABWVo="},
	{"a byte", []run{{1, 1, 256}},
		"/Td6WFoAAAFpIt42AgAhARYAAAB0L+WjAQAAxgAAAAAIiAWgAAEVAaljNGCQQpkNAQAAAAABWVo="},
	{"noise", []run{{7, 300, 256}},
		"/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQErbE50khMlIi4xoc0TvhLtQmlmziT8I9fajSCXYWoGlW7CitQDE2go" +
			"1FcePF3ubl7ASpERX107UT7CU6QWrW7lOJQR0Ciao0z1wDR8WcrwhJXzYRsLUGjVmAT5LrcpmVVXeZm+eMAQZocC" +
			"meV/bNI1vPuPRJ3u4jvh7MyMv/W/vsIL2/hrnOVPhbYHz0bpSksq+9Tlj0/hXBESghijKxj3ct+P1XpHW97kdDST" +
			"JlyRndmL5lRZip0PHw7UKt3g3NhekG6tHNmr6p7T2oiY2+ADwUJ+63K4TSwDd3sY5S9DOX+0LtnKagtNq2yvBhN/" +
			"bVXZuVQBUvEri7blLTwyLoXzzOSIsPsRtN8C1mxlEF9xbBmIIO9yTG4EL/Kj7Dz22dw+uDSJJ+fedpuryf0GAH1u" +
			"6QHxAUncAAHEAqwCAADMqdU3scRn+wIAAAAABFla"},
	{"zeros over a chunk", []run{{0, 3000000, 0}},
		"/Td6WFoAAArh+wyhAgAhARYAAAB0L+Wj//8RAWxdAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFL" +
			"sX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v" +
			"+0uIEGxCy4g/XACP0E6vJiiUcR89jyThcJ6nI1/sKMuF0ZWYin4qkfIndfcZwAaYTZj92K/VkA/EJVP49ZE2MQWl" +
			"sO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1" +
			"O/DEvS5fqg8+S2ZCkBMO/xCT+HF4WfgLzf+VKEYPqfx83vuaMC5WwI+F84OBwGXEJVP49ZE2MQWlsO5vwXBNRwzR" +
			"kRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvEgn5liN" +
			"x60AhADsc1On/b6ufDEan7eNMW5wnqcjX+woy4XRlZiKfiqR8id19xnABphNmP3Yr9WQD8QlU/j1kTYxBaWw7m/B" +
			"cE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9" +
			"FHktXQAAAAA1vOTq5U7I5swoaLqo0VeRTWrihYgRtMwMB4yURg+ibwABqgTAjbcBqS5xzbbp3xwCAAAAAApZWg=="},
	{"words", []run{{3, 2000, 3}, {0, 500, 0}, {3, 2000, 3}, {5, 200, 256}, {3, 2000, 3}},
		"/Td6WFoAAAD/EtlBAgAhARYAAAB0L+Wj4BorAy9dAAEANkLJXJDpeiPj1BpHeYN22tFshgHsQySY4CmtSGuPaCFV" +
			"W2qu0N1aK7zCrZyT2m9GYwz/DqTT2MKYOF6HqTRh+QUpPM7UoTurpflBukvwNjOXJNJq0cAPtCmv8MKkpudUAhd+" +
			"+DrWL8fMhWZtqG4aMslhR7GSagKoE7C5+r3xK9cuyhNXyjvvAjzbCVuyqcajbJgrrrym0hQZjXEGCKVNhHC4u0aQ" +
			"sBq6yrnfWNutca+TsidHLQ+roeA3Z+4sU9bPnvK8/wM4AZU3cwpUtM6w1fxQdCUH/RUUrICoVvkaLf+CE/rxGR8Y" +
			"DnhVxf+QNolVMXK/SCS0OSkzfcUFRLPRhlM8kGJY4nu6YIpQ5TpLDJ5W4Em2w+IUL1vUHsYcFSW0rOCX4HO1pplg" +
			"PZencUyQYkHtaPgU/TbA9JTykLjFx7Y0thej23T6Kw+VlXH42yB5Q11QxNMUBfyE3ViW5FMZKLAoG6Nbb065SCJw" +
			"1oGjeAKhGN33F/YF+uf0sI0pfVI38QG/cAqTXmu2lfbcxBRs+73LDEZQG4BoQ4igVBMeZEqqTP485DOf7TIe03z9" +
			"UbtXrAPgiX0oyEhnfmxT0COYzTQzFS5b7sXPjfWk2Wx8DEw4ssuyMOoCwZNQima14krjyLaA3IpP5yYCIbvt1mHA" +
			"KxQNf+SXv15SSwpD8Te9acqUOtJ+Mpc9Bbf4p3LNB3SOW5EX0HWNKUrAkJX+k8dk9yuhKS51tGhgWVph7o2k/Drl" +
			"xebAhuym08HjJimHsWmxzgRiUldHyt8Hrud4TMqoAFRMNLoFc0IIZ1dlfo0T5XIY9/JF9QwkTAwAEiswBhZ7c2xB" +
			"m+s1GtwjO+t575iN++NRyseucxYx5+FScA6bXCi32693Kvz1HLOTrH7qpvihbkPuKNNVNbNarOWZgys4Fr6FFJkx" +
			"vwkOUmMXjVHod13zVTVXuph3yEJCt2FNeB+pw8OQcHIfAARtODaWeW79HNlYgTpbSooD5ivLsBgvRa0ghU03oDZJ" +
			"w4qBdTmu63/xrhQEE7pHSL6HUiFZGq8w1BvZj5Yhc5vXgYgQEln3rW4I0ERkGJj0NDoIpTigAAAAAcMGrDQAAJam" +
			"tv+oAAr8AgAAAAAAWVo="},
	{"noise between", []run{{0, 100000, 0}, {9, 700, 256}, {0, 2200000, 0}, {9, 700, 256}},
		"/Td6WFoAAAFpIt42AgAhARYAAAB0L+Wj///9BD1dAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFL" +
			"sX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE1rH2OzYu35TLyoD4WGHZiInWLq0m8NTe" +
			"OihfGYUu8bmFAUGITEpfAEkE669o2r31kuZ1s9xcV8+a0VnsFIUOR5mW8MChNgJQSY3Bofuxo/2LBnHewLeimZDl" +
			"kWD38Vxl2kuyNh2ORr6fGSKFTGFs9P7x4qt5lOVQYtu2EZr3McSrEST7ciSEFPo2tTHM1N17dpAJj4mm0oE2WgHQ" +
			"7dGAfbvyTL8t9pGkllzVSkpPttxaziePK1mr3cv18F/31WUtyNPfZTr9lbaqBuJhfS6HH4gPLylRcPFz4VPW2Igu" +
			"zDVw5OgHZgPLG81BU/d9WMh2T0krVkHpb+trPN9Fp+qmK1MjcV52g/fn30dpZJ+asSFNgF8wYIM88U2Gdewi7ih2" +
			"QXOfkfy6kr1smSXmavj/3y9RkkhRw+16M88Epb6fAqslgaU0MqnXNgiCTLHQRh2kicEagp5akow078TO+5dTDYk5" +
			"8PBUsqAG2OdIQhnhbj2bTz3hPF1p+O18mrFeFZdzMjfsE/w8FCwGykdbSDxnyJW2Q+5wo/tgZjKHzZgOgp+RF+gw" +
			"A2GVkFKzdw2Lp2H1YCntrYc9PIEYV71Js78U0M+tvoZAFLhNLmtLunU7J4beC/eMi6n7LtLWD4Erd68p34MweXep" +
			"vKyu8E6+Hq16t2tpPFwcqwgwoMJIgdiphsqWZxIjtvVPtF8hmlc/eBZckmwZISnx+fzAu1XbTycxO0wytVKNOqt9" +
			"5fiMozGiH8PZJjW5Q6bjU9MVwdVM3I7TwstAKWPjorB8BTzfrJBAUzUULlvxIO84eBy2XksWeaQ/FAh1gVgNuibb" +
			"d4HCBz26YAe+1f+bfW7MaPjC9eUt1m/DhhGN/FrEDyNIa6yTRQ/EiFVA+mZg9dAU81YxDNaVZNLduwWfJdLWnYad" +
			"Oao8Z8DoCr+qDP5YYQW7bGEN3LzWwN56UaXIxlmbg/maeP3id/QdIEGqIFlfRDOsOvMSsMRbIOBYK8VeUaLnu9V4" +
			"5fQBfdydwAaYTZj92K/VkA/EJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH" +
			"2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvS5fqg8+S2ZCkBMO/xCT+HF4WfgLzf+VKEYPqfx83vuaMC5W" +
			"wI+F84OBwGXEJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0e" +
			"WyBC+d1TPfgpZAk7gMsqbN+1O/DEvS5fqg8+S2ZCkBMO/xCT+HF4WfgLzf+VKEYPqfx83vuaMC5Vq9gcgx3ZACkA" +
			"7HNTp/2+rnwxGp+3jTFucJ6nI1/sKMuF0ZWYinmCphbNyzkdLhtSUgAA5l+iegABhAnYu4wBNIe+gT4wDYsCAAAA" +
			"AAFZWg=="},
	{"lc=0 lp=0 pb=0", []run{{2, 600, 5}, {0, 64, 0}, {2, 600, 5}, {11, 40, 256}, {2, 300, 5}},
		"/Td6WFoAAAFpIt42AgAhAQAAAAA3J5fW4AZDAWEAAAGAluQOq7K0zBuoc43rx0lokvQAfWwRX0cWyXr/TBT6PRYJ" +
			"a1rFj+ja689osT4glIPAAkQ3AtuNMc0PYEzN/vNGvukztrTkpw/47L1qtj85H+YO+FIHJbNeOv9QX5+SuKPjX9M6" +
			"fMKQBHzw++iLJNoO4ZlMTK3zlJrcY9B1N5N/K3BDH2fYpDtUbllGwaYdd8lwBxCXc5CPH1gUuzR5GYwrGfPEHlCY" +
			"rnhBK6J437CVaiS6XWMYsPzYOn+oCmRLdWSnXO9fRzOAl4uuEl5BwqUDhn6xkkUFQGtAKKyrz5/a2cm5nbtSDV5z" +
			"KYn1y26i5bZa4fXxSsOpcrYUsGsUOOFRLY6mMblXJXwbYtQMBYaGoHzNSQGUJIzLWs+2WhsopA/IQX0dInnOk+Ol" +
			"6Iy35AZQznzW0nsKuViG3v8TnSk2KoC8IVAZdeAPWTkR25S4WItAT/wW4NdwKYOLGS9Hs3gAAAAAAIZyAt8AAfkC" +
			"xAwAAFlPPXs+MA2LAgAAAAABWVo="},
	{"lc=4 lp=0 pb=4", []run{{2, 600, 5}, {0, 64, 0}, {2, 600, 5}, {11, 40, 256}, {2, 300, 5}},
		"/Td6WFoAAAFpIt42AgAhAQAAAAA3J5fW4AZDAXC4AAGAkiTqg1CaARrlQQiZ9qhf2gkl4bdNGgsxz1q/qLq89HUc" +
			"df0AoympWOjHQqVnPLvC4aHL+vFIJpH7t2Mj0J9xCLPIVWWd7fv5swC9MShWbyR6Kg2cLjUaWjvOgbP1bKuvWuUk" +
			"a+MHlFfCqZxiDNMX2brZ1z5NSEansas8UjOnTTHVeL9yFfujuXUgRDzPyYTk1um+V5yn2mCYEKU4r57y9ADvQA8s" +
			"7Wv8zzcEaiyD+jCkAR26bF0oWDLiLzVjJGxSVHtlSIpBETEvuIV32g7Tp7YzuCNnd3nCXkr8XMXP7JC9sDGwoEKH" +
			"HprI0nuQGoRv+7+MCgErMyncjyP6YdDf2a4rJphyAIpPpF1OSaP5vSjO9YH4DteCVMjl5+Ce2EJEJRgDcPZBortW" +
			"km+Oe5kjj0KFEwm9baohMuKJFNl+GOB/VcpTLeyc1jl2wTtyUny3pP+BCzBGCYXyLNz96Cq8MjruBFTYCLFeumB4" +
			"38oAAIZyAt8AAYgDxAwAAI24I4Y+MA2LAgAAAAABWVo="},
	{"lc=0 lp=4 pb=2", []run{{2, 600, 5}, {0, 64, 0}, {2, 600, 5}, {11, 40, 256}, {2, 300, 5}},
		"/Td6WFoAAAFpIt42AgAhAQAAAAA3J5fW4AZDAXF+AAGAfJgCAABAACg30Hi0afnWZVx9E9PVIo081ZkobxIDD4z1" +
			"95uJE7fZhwP34G6rBpRZ28jOoH2OMLiZO37KBl40E4fjquHy1ua98/J2Y33RG/hiuIIbljpiThWMbs3UVQKttBuX" +
			"wn4bSCCd9Hg+9NuOJWc0l/8L+YTh8ORVA5HD4ADaaEG5ahY0NzH3I76HVzO0TAr0NKV5Pj45Kose8xMsJ9wOHAkI" +
			"nzx2Txj9pVIL5mZHWJ8nsG6dcXn406bVaE1X+VMnZW73xJt/FjT0JpTlm7k2Z2YbbBNvIORisAYk7fmYJhnxygp2" +
			"GUSGVGq4rLpXGyydPUclZj3iqZz3KDhSqywXuupH+z+g8K5mQAI3n4ccgJod/m9K7zFuWg5YxBbNwksFoMp3XDNN" +
			"uLgDQ9OZHqeDP0p7TMxnDjDw0a2pLd14GxcOsCX1i0AMUola6cilP7N2lliCkSnEREY2IABsxP7nH6cNh9zcH/IP" +
			"q74eAAAAAACGcgLfAAGJA8QMAAAoa39NPjANiwIAAAAAAVla"},
	{"lc=1 lp=3 pb=1", []run{{2, 600, 5}, {0, 64, 0}, {2, 600, 5}, {11, 40, 256}, {2, 300, 5}},
		"/Td6WFoAAAFpIt42AgAhAQAAAAA3J5fW4AZDAWxJAAGAfJ0D/4A/8DIAFH32T35eLifsxfGhJrBN6onaym0qUg+o" +
			"hsBViOapT8OjDQmuQyfHygfWZvikc/IlAVbbcj3arW3M8ulyJvVJrVjQMP+x3i8j7HDz6by4yEiZ6tMjb3SiToYC" +
			"Lj/wxBsAXqGQAt5g3HXWs90riqtEyuCqmt8cGAX5BJyT6TVyasn3LPEbJ5c9klXQU2aN1AET8IP7BRTgeab9z7yU" +
			"0h97MIXE/3l/zIm96fo2JI18bj+BWTaSe1zY4pbIs85Zg49ZBMjY9WNZc7YKmZdyxrt0COvcJrHC8f670KaWzNcb" +
			"wX1gPC1b2WAIcrVCnk6tT9x0NBdNOqXL307NB+6V5HWWe5xMWwYX485V6Y7hRA/9cBxuxP0xRZerJ8n6TOWnai8h" +
			"4j3AwOWVGhXodac+7e3I8OHd+WScPYZSFdSGYGdk3ASbkNcgxZ4LC3u8Kc6h/maKuWsQRKOaMD9dtx4V958NkgAA" +
			"hnIC3wABhAPEDAAA9njh8T4wDYsCAAAAAAFZWg=="},
}

func stream(t testing.TB, i int) (packed, want []byte) {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(streams[i].packed)
	if err != nil {
		t.Fatal(err)
	}
	return packed, content(streams[i].runs)
}

func TestXZ(t *testing.T) {
	for i, s := range streams {
		packed, want := stream(t, i)
		to := make([]byte, len(want))
		if err := XZ(packed, to); err != nil || !bytes.Equal(to, want) {
			t.Errorf("%s: %v", s.name, err)
		}
		if err := XZ(packed, make([]byte, len(want)+1)); err == nil {
			t.Errorf("%s: a byte too few, and no error", s.name)
		}
		if len(want) > 0 && XZ(packed, to[1:]) == nil {
			t.Errorf("%s: a byte too many, and no error", s.name)
		}
		if len(want) > ExpansionXZ*len(packed) {
			t.Errorf("%s: %d bytes in %d", s.name, len(want), len(packed))
		}
	}
}

// Damage anywhere before the index is an error where a check sum covers it, and never a crash.
func TestXZThatIsDamaged(t *testing.T) {
	for i, s := range streams {
		packed, want := stream(t, i)
		to := make([]byte, len(want))
		if len(want) > 10000 {
			continue
		}
		for at := range packed {
			bad := bytes.Clone(packed)
			bad[at] ^= 1 << (at % 8)
			if err := XZ(bad, to); err == nil && !bytes.Equal(to, want) && s.name != "words" { // no sum
				t.Fatalf("%s: byte %d is damaged: other data, and no error", s.name, at)
			}
			// What ends early within the data is an error. Of the index at the end the first byte
			// is read.
			if err := XZ(packed[:at], to); err == nil && at < len(packed)-12-4*(int(packed[len(packed)-8])+1) {
				t.Fatalf("%s: it ends before byte %d, and no error", s.name, at)
			}
		}
	}
}

func TestXZWithOtherFilters(t *testing.T) {
	packed, want := stream(t, 2)
	for at, value := range map[int]byte{1: 1, 2: 3, 3: 2} { // two filters, delta, 2 bytes
		bad := bytes.Clone(packed)
		bad[12+at] = value
		size := 4 * (int(bad[12]) + 1)
		binary.LittleEndian.PutUint32(bad[12+size-4:], crc32.ChecksumIEEE(bad[12:12+size-4]))
		if err := XZ(bad, make([]byte, len(want))); err != errFilter {
			t.Errorf("%d: %v", at, err)
		}
	}
}

func TestLZ4(t *testing.T) {
	for _, c := range []struct{ packed, want string }{
		{"\x00", ""},
		{"\x50hello", "hello"},
		{"\x13a\x01\x00\x50bcdef", "aaaaaaaabcdef"},
		{"\x2fab\x02\x00\xff\x05\x50vwxyz", string(bytes.Repeat([]byte("ab"), 141)[:281]) + "vwxyz"},
		{"\xf0\x02" + "12345678901234567", "12345678901234567"},
	} {
		want := []byte(c.want)
		to := make([]byte, len(want))
		if err := LZ4([]byte(c.packed), to); err != nil || !bytes.Equal(to, want) {
			t.Errorf("%q: %v, %q", c.packed, err, to)
		}
		if LZ4([]byte(c.packed), make([]byte, len(want)+1)) == nil {
			t.Errorf("%q: a byte too few, and no error", c.packed)
		}
		for n := range len(c.packed) {
			if LZ4([]byte(c.packed)[:n], to) == nil {
				t.Errorf("%q: the first %d bytes, and no error", c.packed, n)
			}
		}
		if len(want) > 0 && LZ4([]byte(c.packed), to[1:]) == nil {
			t.Errorf("%q: a byte too many, and no error", c.packed)
		}
	}
	for _, bad := range []string{"\x14a\x02\x00\x10b", "\x14a\x00\x00\x10b", "\x14a\x01", ""} {
		if LZ4([]byte(bad), make([]byte, 10)) == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// pack4 packs data as LZ4 by the first match that it finds: another program, for a test.
func pack4(data []byte) []byte {
	var out []byte
	last := map[[4]byte]int{}
	from := 0
	more := func(n int) {
		for n -= 15; n >= 255; n -= 255 {
			out = append(out, 255)
		}
		out = append(out, byte(n))
	}
	put := func(literals []byte, distance, n int) {
		token := min(len(literals), 15) << 4
		if distance > 0 {
			token |= min(n-4, 15)
		}
		out = append(out, byte(token))
		if len(literals) >= 15 {
			more(len(literals))
		}
		out = append(out, literals...)
		if distance > 0 {
			out = binary.LittleEndian.AppendUint16(out, uint16(distance))
			if n-4 >= 15 {
				more(n - 4)
			}
		}
	}
	for at := 0; at+4 <= len(data); {
		key := [4]byte(data[at:])
		before, found := last[key]
		last[key] = at
		if !found || at-before > 65535 {
			at++
			continue
		}
		n := 4
		for at+n < len(data) && data[before+n] == data[at+n] {
			n++
		}
		put(data[from:at], at-before, n)
		at += n
		from = at
	}
	put(data[from:], 0, 0)
	return out
}

func TestLZ4OfRandomData(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	for range 300 {
		var data []byte
		for range r.IntN(6) {
			data = append(data, content([]run{{r.IntN(9), r.IntN(700), r.IntN(4) * r.IntN(80)}})...)
		}
		to := make([]byte, len(data))
		packed := pack4(data)
		if err := LZ4(packed, to); err != nil || !bytes.Equal(to, data) {
			t.Fatalf("%d bytes in %d: %v", len(data), len(packed), err)
		}
	}
}

func FuzzLZ4(f *testing.F) {
	f.Add([]byte("\x2fab\x02\x00\xff\x05\x50vwxyz"), uint16(286))
	f.Fuzz(func(t *testing.T, packed []byte, size uint16) {
		to := make([]byte, size)
		if LZ4(packed, to) == nil && int(size) > Expansion4*len(packed) {
			t.Errorf("%d bytes in %d", size, len(packed))
		}
	})
}

func FuzzXZ(f *testing.F) {
	for i := range streams {
		if packed, want := stream(f, i); len(want) < 1<<16 {
			f.Add(packed[24:], uint16(len(want)))
		}
	}
	f.Fuzz(func(t *testing.T, packed []byte, size uint16) {
		to := make([]byte, size)
		n, read, err := lzma2(packed, to) // The heading of XZ has check sums, which no fuzzer meets.
		if err == nil && (n > int(size) || read > len(packed) || n > ExpansionXZ*read) {
			t.Errorf("%d bytes in %d", n, read)
		}
	})
}
