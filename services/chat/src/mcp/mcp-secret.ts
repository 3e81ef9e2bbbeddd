import { CarrelError, mcpSecretMask, type McpServerConfig } from "@carrel/contracts";

const mask = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, mcpSecretMask]));

/** As it is shown: values of variables and headers may be secrets. */
export const maskSecrets = (config: McpServerConfig): McpServerConfig =>
  config.kind === "command"
    ? { ...config, env: mask(config.env) }
    : { ...config, headers: mask(config.headers) };

/** Where values of variables and headers go. */
const destinationOf = (config: McpServerConfig): string =>
  config.kind === "command" ? "command" : new URL(config.url).origin;

/**
 * Fills in the stored values of what is still masked. Throws `mcp.secret-missing` if a stored value
 * would go elsewhere.
 */
export function keepSecrets(
  config: McpServerConfig,
  stored: McpServerConfig | null,
): McpServerConfig {
  const isSame = stored !== null && destinationOf(stored) === destinationOf(config);
  const kept = !isSame ? {} : stored.kind === "command" ? stored.env : stored.headers;
  const fill = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        if (value !== mcpSecretMask) return [name, value];
        if (!Object.hasOwn(kept, name)) throw new CarrelError("mcp.secret-missing", { name });
        return [name, kept[name]!];
      }),
    );
  return config.kind === "command"
    ? { ...config, env: fill(config.env) }
    : { ...config, headers: fill(config.headers) };
}
