import {
  isSecretMask,
  secretMask,
  type LegacyPlugin,
  type PluginArgument,
  type PluginDetail,
  type PluginSummary,
} from "@carrel/contracts";
import { proposePermissions } from "@carrel/skills";
import { isConfirmed, type PluginRow } from "./plugin.repository.ts";

/** By name; null for one that can't be decrypted. */
type Values = ReadonlyMap<string, string | null>;

/** Anything that could open another door, judging by what the plugin says of it. */
const isSecret = (name: string, type: string): boolean =>
  type === "password" || /key|token|secret|passw|credential|auth|cookie|bearer/i.test(name);

/** A value as it is shown; one that can't be decrypted has to be entered again. */
const shown = (name: string, type: string, value: string | null | undefined): string => {
  if (value == null || value === "") return "";
  return isSecret(name, type) ? secretMask : value;
};

const listMissing = ({ manifest }: PluginRow, values: Values): string[] =>
  Object.entries(manifest.setup_args)
    .filter(([name, { required, input }]) => required && !values.get(name) && input.default === "")
    .map(([name]) => name);

export function summarize(row: PluginRow, values: Values): PluginSummary {
  const { name, version, description, author, author_url: authorUrl, license } = row.manifest;
  return {
    hubId: row.hubId,
    name: name || row.hubId,
    version,
    description,
    author,
    authorUrl,
    license,
    source: row.source,
    active: row.active && isConfirmed(row),
    review: isConfirmed(row) ? "confirmed" : row.confirmedHash === null ? "new" : "changed",
    missing: listMissing(row, values),
    hash: row.hash,
    bytes: row.bytes,
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function describePlugin(
  row: PluginRow,
  values: Values,
  files: ReadonlyMap<string, Uint8Array>,
): PluginDetail {
  const { manifest } = row;
  const confirmed = isConfirmed(row);
  return {
    ...summarize(row, values),
    arguments: Object.entries(manifest.setup_args).map(
      ([name, { type, required, input }]): PluginArgument => ({
        name,
        type: input.type || type,
        required,
        isSecret: isSecret(name, input.type),
        placeholder: input.placeholder,
        hint: input.hint,
        default: isSecretMask(input.default) ? "" : input.default,
        value: shown(name, input.type, values.get(name)),
      }),
    ),
    params: manifest.entrypoint.params,
    examples: manifest.examples,
    entry: manifest.entrypoint.file,
    files: [...files].map(([path, { byteLength }]) => ({ path, bytes: byteLength })),
    granted: confirmed ? row.permissions : null,
    previous: confirmed ? null : row.permissions,
    proposed: proposePermissions(manifest, files, values),
    isDeclared: manifest.permissions !== undefined,
    confirmedBy: confirmed ? row.confirmedBy : null,
    confirmedAt: confirmed ? (row.confirmedAt?.toISOString() ?? null) : null,
  };
}

/** wire-contract 5.9. */
export function describeLegacy(row: PluginRow, values: Values): LegacyPlugin {
  const { permissions: _, ...manifest } = row.manifest;
  return {
    ...manifest,
    active: row.active && isConfirmed(row),
    imported: true,
    setup_args: Object.fromEntries(
      Object.entries(manifest.setup_args).map(([name, argument]) => [
        name,
        {
          ...argument,
          // Existing clients show the default only where there is no value.
          value: shown(
            name,
            argument.input.type,
            values.has(name) ? values.get(name) : argument.input.default,
          ),
        },
      ]),
    ),
  };
}
