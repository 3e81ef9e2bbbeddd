export type CacheControl = "none" | "5m" | "1h";

/** Parses the setting AnthropicCacheControl; unknown values disable caching. */
export function mapCacheControl(value: string): CacheControl {
  return value === "5m" || value === "1h" ? value : "none";
}
