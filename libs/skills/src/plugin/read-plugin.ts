import { createHash } from "node:crypto";
import {
  CarrelError,
  clipText,
  parseJson,
  pluginLimits,
  pluginManifest,
  skills,
  type PluginManifest,
} from "@carrel/contracts";

/** A plugin's files, checked, with what `plugin.json` says. */
export interface ReadPlugin {
  manifest: PluginManifest;
  /** Without the values that `plugin.json` had. */
  files: Map<string, Uint8Array>;
  /** Of its files: changes with each content, not with `active` and values. */
  hash: string;
  bytes: number;
  /** Values of arguments that existing installations keep in `plugin.json`. */
  values: Record<string, string>;
}

const manifestName = "plugin.json";
/** A segment that every system can have, and that means itself. */
// oxlint-disable-next-line no-control-regex -- names with such characters are refused
const segment = /^(?!\.{1,2}$)[^\\/:*?"<>|\u0000-\u001f\u007f]{1,200}$/;

/** Throws CarrelError for names that lead elsewhere, or mean the same file on some systems. */
function checkNames(names: readonly string[]): void {
  const known = new Set<string>();
  const folders = new Set<string>();
  const fold = (name: string): string => name.normalize("NFC").toLowerCase();
  for (const name of names) {
    const file = clipText(name, 100);
    const segments = name.split("/");
    if (
      name.length > pluginLimits.path ||
      !name.isWellFormed() ||
      segments.some((each) => !segment.test(each) || /[. ]$/.test(each))
    )
      throw new CarrelError("plugin.file-name-invalid", { file });
    if (known.has(fold(name))) throw new CarrelError("plugin.file-name-taken", { file });
    known.add(fold(name));
    for (let end = 1; end < segments.length; end += 1)
      folders.add(fold(segments.slice(0, end).join("/")));
  }
  // A file with the name of a folder.
  for (const name of names)
    if (folders.has(fold(name)))
      throw new CarrelError("plugin.file-name-taken", { file: clipText(name, 100) });
}

const toolNames: ReadonlySet<string> = new Set(
  skills.flatMap((skill) => [skill.id, ...("tools" in skill ? skill.tools : [])]),
);

/** Checks the files of a plugin, whoever brings them. Throws CarrelError. */
export function readPlugin(given: ReadonlyMap<string, Uint8Array>): ReadPlugin {
  if (given.size > pluginLimits.files)
    throw new CarrelError("plugin.too-many-files", { limit: pluginLimits.files });
  checkNames([...given.keys()]);
  const size = [...given.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (size > pluginLimits.bytes)
    throw new CarrelError("plugin.too-large", { megabytes: pluginLimits.bytes / 1_000_000 });
  const { manifest, values, content } = readManifest(given.get(manifestName));
  const { file } = manifest.entrypoint;
  const entry = file.replace(/^\.\//, "");
  if (!given.has(entry))
    throw new CarrelError("plugin.entry-missing", { file: clipText(file, 100) });
  if (toolNames.has(manifest.hubId))
    throw new CarrelError("plugin.name-taken", { name: manifest.hubId });
  manifest.entrypoint.file = entry;
  const files = new Map([...given].sort(([a], [b]) => (a < b ? -1 : 1)));
  files.set(manifestName, content);
  const bytes = [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { manifest, files, hash: hashOf(files), bytes, values };
}

function readManifest(bytes: Uint8Array | undefined): {
  manifest: PluginManifest;
  values: Record<string, string>;
  content: Uint8Array;
} {
  if (bytes === undefined) throw new CarrelError("plugin.manifest-missing");
  if (bytes.byteLength > pluginLimits.manifest)
    throw new CarrelError("plugin.manifest-invalid", {
      field: `larger than ${pluginLimits.manifest / 1_000} kB`,
    });
  let json: unknown;
  try {
    json = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = clipText((cause as Error).message, 200);
    throw new CarrelError("plugin.manifest-invalid", { field: reason }, { cause });
  }
  const parsed = pluginManifest.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = clipText(`${issue!.path.join(".")}: ${issue!.message}`, 300);
    throw new CarrelError("plugin.manifest-invalid", { field }, { cause: parsed.error });
  }
  const manifest = parsed.data;
  const values: Record<string, string> = {};
  const written = json as { active?: unknown; setup_args?: Record<string, { value?: unknown }> };
  delete written.active;
  // They may be secrets, so they don't stay in the file.
  for (const [name, argument] of Object.entries(manifest.setup_args)) {
    if (argument.value !== "") values[name] = argument.value;
    argument.value = "";
    delete written.setup_args![name]!.value;
  }
  const content = new TextEncoder().encode(JSON.stringify(written, null, 2));
  return { manifest, values, content };
}

function hashOf(files: ReadonlyMap<string, Uint8Array>): string {
  const sum = createHash("sha256");
  for (const [path, bytes] of files)
    sum.update(`${JSON.stringify(path)} ${bytes.byteLength}\n`).update(bytes);
  return sum.digest("hex");
}
