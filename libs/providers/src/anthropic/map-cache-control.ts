export type CacheControl = "none" | "5m" | "1h";

/** The setting AnthropicCacheControl. */
export function mapCacheControl(value: string): CacheControl {
  return value === "5m" || value === "1h" ? value : "none";
}
