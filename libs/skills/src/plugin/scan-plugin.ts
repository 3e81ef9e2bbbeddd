import {
  pluginLimits,
  readCredentialHost,
  type PluginManifest,
  type PluginPermissions,
} from "@carrel/contracts";

/** Of a file; what follows is not scanned. */
const mostScanned = 500_000;
/** With what follows, so that the host isn't part of one that is put together. */
const address = /https?:\/\/([a-z0-9_.[\]-]+(?::\d{1,5})?)(\$\{)?/gi;
const argument =
  /runtimeArgs(?:\??\.([A-Za-z_$][\w$]{0,63})|(?:\?\.)?\[\s*["'`]([^"'`]{1,64})["'`]\s*\])/g;
/** As `http` and `https` are called. */
const hostOption =
  /\bhost(?:name)?["']?\s*[:=]\s*["'`]([a-z0-9_.-]+\.[a-z]{2,}(?::\d{1,5})?)["'`]/gi;
const storage = /\bthis\.storage\b/;

/**
 * What a plugin seems to need, as a proposal for the admin who decides: the hosts of addresses in its
 * own code and in its arguments, and the arguments that it reads. It misses what the code puts
 * together.
 */
export function proposePermissions(
  { permissions, setup_args: args }: Pick<PluginManifest, "permissions" | "setup_args">,
  files: ReadonlyMap<string, Uint8Array>,
  values: ReadonlyMap<string, string | null> = new Map(),
): PluginPermissions {
  const names = Object.keys(args);
  if (permissions !== undefined)
    return { ...permissions, secrets: permissions.secrets.filter((each) => names.includes(each)) };
  const own = [...files].filter(
    ([path]) => /\.[cm]?js$/.test(path) && !path.split("/").includes("node_modules"),
  );
  const code = own.map(([, bytes]) => new TextDecoder().decode(bytes.subarray(0, mostScanned)));
  const given = names.map((name) => values.get(name) || args[name]!.input.default);
  const hosts = [
    ...[...code, ...given].flatMap((text) => [...text.matchAll(address)]),
    ...code.flatMap((text) => [...text.matchAll(hostOption)]),
  ].flatMap(([, host, more]) => {
    const known = more === undefined ? readCredentialHost(host!) : null;
    return known === null ? [] : [known];
  });
  const reads = code.flatMap((text) => [...text.matchAll(argument)]);
  const read = new Set(reads.map(([, property, key]) => property ?? key!));
  // Where it takes them in another way, it may take any.
  const uses = code.flatMap((text) => [...text.matchAll(/\bruntimeArgs\b/g)]);
  const readsAny = uses.length > reads.length;
  return {
    hosts: [...new Set(hosts)].slice(0, pluginLimits.hosts),
    storage: code.some((text) => storage.test(text)),
    secrets: names.filter((name) => readsAny || read.has(name)),
  };
}
