// A model, on Node, of the few classes of Godot that the addon uses.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { makeHttpClient, TLSOptions } from './http-client.ts';
import { Dictionary, PackedByteArray, PackedStringArray, str } from './values.ts';
import type { Value } from './values.ts';

export class Signal {
  readonly #listeners: ((...given: Value[]) => void)[] = [];

  connect(listener: { call(...given: Value[]): Value }): void {
    this.#listeners.push((...given) => void listener.call(...given));
  }

  emit(...given: Value[]): void {
    // The loop goes over a copy, because a listener that waits for one signal removes itself during the loop.
    this.#listeners.slice().forEach((listener) => listener(...given));
  }

  /** Resolves to the next emitted value, or to an array if several values are emitted together. */
  next(): Promise<Value> {
    return new Promise((resolve) => {
      const once = (...given: Value[]) => {
        this.#listeners.splice(this.#listeners.indexOf(once), 1);
        resolve(given.length > 1 ? given : (given[0] ?? null));
      };
      this.#listeners.push(once);
    });
  }
}

export class RefCounted {
  $prepare(): void {}
}

/** Runs the frames and the timers of a game. When the game ends, its frames, timers and requests stop. */
export class SceneTree {
  readonly process_frame = new Signal();
  readonly ended = new AbortController();

  create_timer(seconds: number): { timeout: Signal } {
    const timer = { timeout: new Signal() };
    const handle = setTimeout(() => timer.timeout.emit(), seconds * 1_000);
    this.ended.signal.addEventListener('abort', () => clearTimeout(handle));
    return timer;
  }
}

export class Node extends RefCounted {
  static PROCESS_MODE_ALWAYS = 3n;
  static NOTIFICATION_WM_CLOSE_REQUEST = 1006n;
  static NOTIFICATION_APPLICATION_PAUSED = 2015n;
  static NOTIFICATION_PREDELETE = 1n;

  process_mode = 0n;
  $tree: SceneTree | null = null;

  add_child(child: Node): void {
    child.$tree = this.$tree;
  }

  get_tree(): SceneTree | null {
    return this.$tree;
  }

  queue_free(): void {
    this.$tree = null;
  }
}

export class EditorPlugin extends Node {
  add_autoload_singleton(): void {}
  remove_autoload_singleton(): void {}
}

/** Any control of a scene, with the properties that the demo uses. */
export class Control extends Node {
  text = '';
  value = 0;
  disabled = false;
  readonly pressed = new Signal();
  readonly $unique = new Map<string, Control>();

  get_node(path: string): Control {
    const found = this.$unique.get(path.replace('%', ''));
    if (!found) throw new Error(`the scene has no ${path}`);
    return found;
  }
}

export class Vector2 {
  readonly x: number;
  readonly y: number;

  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}

export class Vector3 extends Vector2 {
  readonly z: number;

  constructor(x: number, y: number, z: number) {
    super(x, y);
    this.z = z;
  }
}

export class Color {
  readonly #hex: string;

  constructor(hex: string) {
    this.#hex = hex;
  }

  to_html(): string {
    return this.#hex;
  }
}

/** The folder that games see as `user://`. */
export const user = { folder: '' };

const real = (path: string) => path.replace(/^user:\/\//, `${user.folder}/`);

class OpenFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  seek_end(): void {}

  store_string(text: string): void {
    fs.appendFileSync(this.#path, text);
  }

  close(): void {}
}

export const FileAccess = {
  WRITE: 2n,
  READ_WRITE: 3n,
  file_exists: (path: string) => fs.existsSync(real(path)),
  get_file_as_string: (path: string) => fs.readFileSync(real(path), 'utf8'),
  open(path: string, mode: bigint) {
    if (mode === FileAccess.WRITE) fs.writeFileSync(real(path), '');
    return new OpenFile(real(path));
  },
};

export const DirAccess = {
  dir_exists_absolute: (path: string) => fs.existsSync(real(path)),
  get_files_at: (path: string) => PackedStringArray.from(fs.readdirSync(real(path))),
  make_dir_recursive_absolute: (path: string) => void fs.mkdirSync(real(path), { recursive: true }),
  remove_absolute: (path: string) => fs.rmSync(real(path)),
  rename_absolute: (from: string, to: string) => fs.renameSync(real(from), real(to)),
};

/** Seconds by which tests advance the time of all games of the process. */
export const passed = { seconds: 0 };

export const Time = {
  get_ticks_msec: () => BigInt(Math.floor(performance.now())),
  get_unix_time_from_system: () => Date.now() / 1_000 + passed.seconds,
  get_datetime_string_from_unix_time: (seconds: bigint) =>
    new Date(Number(seconds) * 1_000).toISOString().slice(0, 19),
  get_unix_time_from_datetime_string: (text: string) => BigInt(Date.parse(`${text}Z`) / 1_000),
};

export const OS = { get_name: () => 'Linux', has_feature: (name: string) => name === 'linux' };

/** The settings of a project that sets nothing. Each setting has the fallback that the caller gives. */
export const ProjectSettings = { get_setting: (_: string, fallback: Value) => fallback };

export class Crypto extends RefCounted {
  generate_random_bytes(size: bigint): PackedByteArray {
    return new PackedByteArray(randomBytes(Number(size)));
  }
}

/** Converts a `res://` path of a file of the addon to a path on this machine. */
export const resourcePath = (godot: string, path: string) =>
  join(godot, path.replace('res://', ''));

const int = (value: Value) =>
  typeof value === 'number' ? BigInt(Math.trunc(value)) : BigInt(value);
const wholeFloat = (value: number) => BigInt(Math.floor(value));

/** Classes, functions and constants that every script can use. */
export const globals: { [name: string]: Value } = {
  Node,
  RefCounted,
  Control,
  Label: Control,
  LineEdit: Control,
  SpinBox: Control,
  Button: Control,
  HTTPClient: makeHttpClient(new AbortController().signal),
  TLSOptions,
  EditorPlugin,
  FileAccess,
  DirAccess,
  Time,
  OS,
  ProjectSettings,
  Crypto,
  OK: 0n,
  NOTIFICATION_WM_CLOSE_REQUEST: Node.NOTIFICATION_WM_CLOSE_REQUEST,
  NOTIFICATION_APPLICATION_PAUSED: Node.NOTIFICATION_APPLICATION_PAUSED,
  NOTIFICATION_PREDELETE: Node.NOTIFICATION_PREDELETE,
  JSON: { stringify: (value: number) => str(value) },
  String: { chr: (code: bigint) => String.fromCodePoint(Number(code)) },
  PackedByteArray: () => new PackedByteArray(Buffer.alloc(0)),
  PackedStringArray: (items: string[] = []) => PackedStringArray.from(items),
  absi: (value: bigint) => (value < 0n ? -value : value),
  assert(condition: Value, message: string) {
    if (!condition) throw new Error(message);
  },
  float: (value: Value) => Number(value),
  clampf: (value: Value, least: number, most: number) =>
    Math.min(Math.max(Number(value), least), most),
  ceili: (value: number) => BigInt(Math.ceil(value)),
  floori: wholeFloat,
  int,
  is_finite: (value: Value) => Number.isFinite(Number(value)),
  maxf: (a: Value, b: Value) => Math.max(Number(a), Number(b)),
  maxi: (a: bigint, b: bigint) => (a > b ? a : b),
  minf: (a: Value, b: Value) => Math.min(Number(a), Number(b)),
  mini: (a: bigint, b: bigint) => (a < b ? a : b),
  pow: (a: Value, b: Value) => Number(a) ** Number(b),
  push_error(message: string) {
    throw new Error(message);
  },
  push_warning(message: string) {
    throw new Error(message);
  },
  randf_range: (from: number, to: number) => from + Math.random() * (to - from),
  range: (...bounds: bigint[]) => {
    const [from, to] = bounds.length === 1 ? [0n, bounds[0]!] : bounds;
    return Array.from({ length: Math.max(0, Number(to! - from!)) }, (_, i) => from! + BigInt(i));
  },
  str,
  Dictionary,
};
