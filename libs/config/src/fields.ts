import { isIP } from "node:net";
import bytes from "bytes";
import ms from "ms";
import { z } from "zod";
import { Secret } from "./secret.ts";

/** Text that must never be printed; parsed into a `Secret`. */
export const secretString = z
  .string()
  .min(1)
  .transform((text) => new Secret(text)) as unknown as z.ZodType<Secret, string>;

/** `1GB`, `500 kB`, `1048576` → bytes (units are powers of 1024). */
export const byteSize = z.string().transform((text, context) => {
  const value = bytes.parse(text.trim());
  if (value !== null && Number.isFinite(value) && value > 0) return value;
  context.addIssue({ code: "custom", message: `'${text}' is not a size such as 500MB or 1GB` });
  return z.NEVER;
});

/** `30s`, `5m`, `1h`, `250ms` → milliseconds. */
export const duration = z.string().transform((text, context) => {
  const value = text.trim() === "" ? undefined : ms(text.trim() as ms.StringValue);
  if (value !== undefined && Number.isFinite(value) && value >= 0) return value;
  context.addIssue({ code: "custom", message: `'${text}' is not a duration such as 30s or 5m` });
  return z.NEVER;
});

/** `1`, `true`, `yes`, `on` and their opposites. */
export const flag = z.stringbool({
  truthy: ["1", "true", "yes", "on"],
  falsy: ["0", "false", "no", "off"],
});

/** True when set to anything but `0`, `false`, `no` or `off`. */
export const presence = z
  .string()
  .default("")
  .transform(
    (text) => text !== "" && !["0", "false", "no", "off"].includes(text.trim().toLowerCase()),
  );

/** Comma-separated list; empty entries are dropped. */
export const commaSeparated = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

export const portNumber = z.coerce.number().int().min(0).max(65_535);

/** RFC 1918 and RFC 4193. */
export const privateNetworks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];

/**
 * Ranges behind the names allowed in a proxy list: this machine, and the private ranges of RFC 1918
 * and RFC 4193.
 */
const proxyNames: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  private: privateNetworks,
};
function readProxy(item: string): readonly string[] | null {
  const named = proxyNames[item.toLowerCase()];
  if (named !== undefined) return named;
  const [address = "", prefix, ...rest] = item.split("/");
  const version = address.includes("%") ? 0 : isIP(address);
  const isRange =
    prefix === undefined ||
    (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
  return version !== 0 && isRange && rest.length === 0 ? [item] : null;
}

/**
 * Comma-separated addresses, CIDR ranges, `loopback`, `private` → addresses and ranges. Trusting
 * every address (`/0`) is rejected.
 */
export const proxyList = commaSeparated.transform((items, context) => {
  const read = items.map((item) => ({ item, addresses: readProxy(item) }));
  for (const { item, addresses } of read)
    if (addresses === null)
      context.addIssue({
        code: "custom",
        message: `'${item}' is not an address such as 10.0.0.5, a range such as 10.0.0.0/8, loopback or private`,
      });
  return read.flatMap(({ addresses }) => addresses ?? []);
});
