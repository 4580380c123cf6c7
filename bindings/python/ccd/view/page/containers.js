"use strict";
// Files of one video track, made in memory from encoded frames: WebM (Matroska, RFC 9559) and MP4 (ISO/IEC 14496-12 and -15).
// A frame is { data, key }: its bytes, and whether it is a key frame. All frames last equally long.

const containers = (() => {
  const bytesOf = (...parts) => { // numbers are bytes
    const whole = new Uint8Array(parts.reduce((n, p) => n + (typeof p === "number" ? 1 : p.length), 0));
    let at = 0;
    for (const p of parts) { if (typeof p === "number") whole[at++] = p; else { whole.set(p, at); at += p.length; } }
    return whole;
  };
  const letters = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));
  const big = (value, count) => { // an unsigned integer, first byte first
    const out = new Uint8Array(count);
    for (let i = count - 1; i >= 0; i--) { out[i] = value % 256; value = Math.floor(value / 256); }
    return out;
  };

  // ---- WebM

  const ebml = (id, ...content) => { // an element; its size stands in eight bytes
    const body = bytesOf(...content), name = big(id, Math.ceil(Math.log2(id + 1) / 8));
    return bytesOf(name, 1, big(body.length, 7), body);
  };
  const ebmlUint = (id, value) => ebml(id, big(value, 8));
  const ebmlFloat = (id, value) => { const out = new Uint8Array(8); new DataView(out.buffer).setFloat64(0, value); return ebml(id, out); };

  function webm(frames, { width, height, fps, codec }) {
    const when = (i) => Math.round((1000 * i) / fps); // milliseconds, the unit of the file
    const head = ebml(0x1a45dfa3, ebmlUint(0x4286, 1), ebmlUint(0x42f7, 1), ebmlUint(0x42f2, 4), ebmlUint(0x42f3, 8),
      ebml(0x4282, letters("webm")), ebmlUint(0x4287, 4), ebmlUint(0x4285, 2));
    const info = ebml(0x1549a966, ebmlUint(0x2ad7b1, 1000000), ebmlFloat(0x4489, (1000 * frames.length) / fps),
      ebml(0x4d80, letters("ccd view")), ebml(0x5741, letters("ccd view")));
    const video = ebml(0xe0, ebmlUint(0xb0, width), ebmlUint(0xba, height));
    const tracks = ebml(0x1654ae6b, ebml(0xae, ebmlUint(0xd7, 1), ebmlUint(0x73c5, 1), ebmlUint(0x83, 1), ebmlUint(0x9c, 0),
      ebmlUint(0x23e383, Math.round(1e9 / fps)), ebml(0x86, letters(codec.startsWith("vp8") ? "V_VP8" : "V_VP9")), video));
    const clusters = [], starts = []; // a cluster begins with a key frame; times in it are 16 bits
    let from = 0;
    for (let i = 1; i <= frames.length; i++) {
      if (i < frames.length && !frames[i].key && when(i) - when(from) < 30000) continue;
      const blocks = frames.slice(from, i).map(({ data, key }, k) => ebml(0xa3, 0x81, big(when(from + k) - when(from), 2), key ? 0x80 : 0, data));
      clusters.push(ebml(0x1f43b675, ebmlUint(0xe7, when(from)), ...blocks)); starts.push(from);
      from = i;
    }
    const cues = (place) => ebml(0x1c53bb6b, ...clusters.map((_, c) => ebml(0xbb, ebmlUint(0xb3, when(starts[c])),
      ebml(0xb7, ebmlUint(0xf7, 1), ebmlUint(0xf1, place(c))))));
    const before = info.length + tracks.length + cues(() => 0).length; // positions are of one width
    const place = (c) => clusters.slice(0, c).reduce((n, cluster) => n + cluster.length, before);
    return bytesOf(head, ebml(0x18538067, info, tracks, cues(place), ...clusters));
  }

  // ---- MP4

  const box = (kind, ...content) => { const body = bytesOf(...content); return bytesOf(big(body.length + 8, 4), letters(kind), body); };
  const full = (kind, flags, ...content) => box(kind, 0, big(flags, 3), ...content);
  const u32 = (...values) => bytesOf(...values.map((v) => big(v, 4)));
  const u16 = (...values) => bytesOf(...values.map((v) => big(v, 2)));
  const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

  // description is the avcC record of the encoder; frames hold AVC samples with lengths in front.
  function mp4(frames, { width, height, fps, description }) {
    const unit = 1000 * fps, each = 1000, length = each * frames.length; // the time scale holds rates such as 29.97, too
    const sample = box("avc1", u32(0), u16(0, 1), u32(0, 0, 0, 0), u16(width, height), u32(0x480000, 0x480000, 0), u16(1),
      new Uint8Array(32), u16(0x18, 0xffff), box("avcC", description));
    const keys = frames.flatMap(({ key }, i) => (key ? [i + 1] : []));
    const table = (place) => box("stbl",
      full("stsd", 0, u32(1), sample), full("stts", 0, u32(1, frames.length, each)), full("stss", 0, u32(keys.length, ...keys)),
      full("stsc", 0, u32(1, 1, frames.length, 1)), full("stsz", 0, u32(0, frames.length, ...frames.map(({ data }) => data.length))),
      full("stco", 0, u32(1, place)));
    const media = (place) => box("mdia", full("mdhd", 0, u32(0, 0, unit, length), u16(0x55c4, 0)),
      full("hdlr", 0, u32(0), letters("vide"), u32(0, 0, 0), letters("video\0")),
      box("minf", full("vmhd", 1, u16(0, 0, 0, 0)), box("dinf", full("dref", 0, u32(1), full("url ", 1))), table(place)));
    const track = (place) => box("trak", full("tkhd", 3, u32(0, 0, 1, 0, length, 0, 0, 0, 0), MATRIX, u32(width * 65536, height * 65536)), media(place));
    const movie = (place) => box("moov", full("mvhd", 0, u32(0, 0, unit, length, 0x10000), u16(0x100), new Uint8Array(10), MATRIX,
      new Uint8Array(24), u32(2)), track(place));
    const head = box("ftyp", letters("isom"), u32(512), letters("isomiso2avc1mp41"));
    const place = head.length + movie(0).length + 8;
    return bytesOf(head, movie(place), box("mdat", ...frames.map(({ data }) => data)));
  }
  return { webm, mp4 };
})();
