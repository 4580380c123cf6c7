// ccd-toi: continuous collision detection in WebAssembly. index.d.ts describes the interface; bindings/js/wasm is the other side.
// This file loads the library; classes.js has the calls, values.js what goes in and comes out.
import { classes } from "./classes.js";
import { CcdError, shown, translated } from "./values.js";

export { CcdError };

let Go; // class of wasm_exec.js, which comes from the Go distribution

async function runtime() {
  if (Go) return;
  if (!globalThis.crypto) globalThis.crypto = (await import("node:crypto")).webcrypto; // Node.js 18
  const other = globalThis.Go;
  await import("./wasm_exec.js");
  Go = globalThis.Go;
  if (other === undefined) delete globalThis.Go;
  else globalThis.Go = other; // another Go program on the page may be of another version
}

async function moduleOf(source) {
  if (source instanceof WebAssembly.Module) return source;
  source = await source;
  if (source === undefined) {
    const url = new URL("ccd.wasm", import.meta.url);
    if (url.protocol === "file:" && typeof process === "object" && process.versions?.node) {
      source = await (await import("node:fs/promises")).readFile(url);
    } else source = url;
  }
  if (typeof source === "string" || source instanceof URL) {
    const response = await fetch(source);
    if (!response.ok) throw new Error(`source: ${source} cannot be loaded: ${response.status} ${response.statusText}`);
    source = response;
  }
  if (typeof Response === "function" && source instanceof Response) source = await source.arrayBuffer();
  if (!(source instanceof ArrayBuffer || ArrayBuffer.isView(source))) {
    throw new TypeError(`source is ${shown(source)}: must be a URL, a Response, the bytes of ccd.wasm or a WebAssembly.Module`);
  }
  return WebAssembly.compile(source);
}

let loads = 0;

/** Go's timers must not wake an instance that has ended. */
function silence(go) {
  for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer);
}

export async function load(source, { Go: given } = {}) {
  if (given) Go = given;
  await runtime();
  const module = await moduleOf(source);
  const go = new Go(), key = `ccd-toi ${++loads}`;
  const ready = new Promise((resolve) => (globalThis[key] = resolve));
  go.argv = ["ccd", key];
  const state = { ended: false, text: "" };
  let instance;
  // What Go's runtime says before it ends is for the error of the call, not for the console.
  go.exit = () => silence(go);
  const decoder = new TextDecoder();
  go.importObject.gojs["runtime.wasmWrite"] = (sp) => {
    const { buffer } = instance.exports.mem, view = new DataView(buffer, sp >>> 0);
    state.text += decoder.decode(new Uint8Array(buffer, Number(view.getBigInt64(16, true)), view.getInt32(24, true)));
  };
  instance = await WebAssembly.instantiate(module, go.importObject);
  const end = go.run(instance).then(() => (state.ended = true));
  const native = await Promise.race([ready, end]);
  delete globalThis[key];
  if (state.ended) throw new Error(`the WebAssembly instance ended before it was ready: ${state.text.split("\n", 1)[0]}`);
  return bind(native, go, state);
}

function bind(native, go, state) {
  let thrown = null; // what a callback threw

  function call(name, ...args) {
    let answer = null;
    if (!state.ended && !go.exited) {
      try {
        answer = native[name](...args);
      } catch (error) { // the engine stopped it: its stack is exhausted, or the module is broken
        state.text = `${error}\n${state.text}`;
      }
    }
    if (!answer) {
      state.ended = true;
      silence(go);
      const why = state.text.split("\n", 1)[0], memory = /out of memory/.test(why);
      throw new CcdError(`the WebAssembly instance has ended; call load() again: ${why}`, memory ? "CCD_E_MEMORY" : "CCD_E_INTERNAL");
    }
    if (thrown) {
      const { error } = thrown;
      thrown = null;
      throw error;
    }
    if (answer.error !== undefined) throw new CcdError(translated(answer.error), answer.code);
    return answer.value;
  }

  // An exception of a callback ends the call, and is thrown again where the call returns.
  function guarded(callback) {
    return (value) => {
      try {
        return callback(value) === true;
      } catch (error) {
        thrown = { error };
        return true;
      }
    };
  }

  return classes({
    call,
    guarded,
    free: (name, id) => {
      if (!state.ended && !go.exited) call(name, id);
    },
  });
}
