import { getCustomAppName, getFooterData, getLogo, getPageBranding } from "@carrel/contracts";
import type { Theme } from "../../../lib/active-theme.ts";
import { addressOf } from "../../../lib/address.ts";
import { call } from "../../../lib/api.ts";
import {
  readLogo,
  readStoredName,
  setPageTitle,
  storeLogo,
  storeName,
} from "../../../lib/brand.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";

/** Name and footer are cached for an hour (specification 1, section 9), and so is the logo. */
export const cacheLifetimeMs = 60 * 60 * 1000;
const fresh = (lastFetched: number, now: number): boolean =>
  lastFetched <= now && now - lastFetched < cacheLifetimeMs;

const parse = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null; // not JSON: treated as missing
  }
};

/**
 * Refetches the name if the cached one is older than an hour. Keeps the cached one if there is no
 * answer.
 */
export async function refreshName(now = Date.now()): Promise<void> {
  if (fresh(readStoredName().lastFetched, now)) return;
  const { customAppName } = await call(getCustomAppName, {}, { expects401: true });
  storeName(customAppName, now);
}

/** Refetches the page's own title, which the page already contains when it loads. */
export async function refreshPageTitle(): Promise<void> {
  setPageTitle((await call(getPageBranding, {}, { expects401: true })).title);
}

const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The logo could not be read."));
    reader.readAsDataURL(blob);
  });

export interface ShownLogo {
  /** A data URL; null if the file is missing. */
  url: string | null;
  isCustom: boolean;
  /** Set for this theme itself; otherwise the light theme shows the dark one's. */
  isOwn: boolean;
}

export async function fetchLogo(theme: Theme, signal: AbortSignal): Promise<ShownLogo> {
  const response = await fetch(addressOf(getLogo, { theme }).url, { signal });
  if (!response.ok) throw new Error("Failed to fetch logo!");
  const isPicture =
    response.status !== 204 && (response.headers.get("Content-Type") ?? "").startsWith("image/");
  return {
    url: isPicture ? await dataUrl(await response.blob()) : null,
    isCustom: isPicture && response.headers.get("X-Is-Custom-Logo") === "true",
    isOwn: response.headers.get("X-Carrel-Logo-Theme") === theme,
  };
}

interface LogoFetch {
  theme: Theme;
  isCustom: boolean;
  at: number;
}

/**
 * Refetches the logo if the cached one is older than an hour or another theme's. A logo that was
 * never set (204, or the header says so) is the built-in one; if there is no reply, the current logo
 * is kept.
 */
export async function refreshLogo(
  theme: Theme,
  signal: AbortSignal,
  now = Date.now(),
): Promise<void> {
  const last = parse(readStored(keys.logoFetch)) as Partial<LogoFetch> | null;
  // A large logo isn't kept when the page is closed.
  const isHere = last?.isCustom === (readLogo() !== null);
  if (isHere && last.theme === theme && fresh(Number(last.at) || 0, now)) return;
  const { url, isCustom } = await fetchLogo(theme, signal);
  if (signal.aborted) return;
  storeLogo(isCustom ? url : null);
  const fetched: LogoFetch = { theme, isCustom, at: now };
  writeStored(keys.logoFetch, JSON.stringify(fetched));
}

export interface FooterLink {
  icon: string;
  url: string;
}
interface StoredLinks {
  data: FooterLink[];
  lastFetched: number;
}

/** At most three; drops anything that is not a web, mail or telephone address. */
export function parseLinks(value: unknown): FooterLink[] {
  if (!Array.isArray(value)) return [];
  return value
    .flatMap((item: unknown) => {
      const { icon, url } = (
        typeof item === "object" && item !== null ? item : {}
      ) as Partial<FooterLink>;
      if (
        typeof url !== "string" ||
        !URL.canParse(url) ||
        !/^(https?|mailto|tel):$/.test(new URL(url).protocol)
      )
        return [];
      return [{ icon: typeof icon === "string" ? icon : "", url }];
    })
    .slice(0, 3);
}

/** The links as the text that the wire uses. */
export const parseFooter = (text: unknown): FooterLink[] =>
  parseLinks(typeof text === "string" ? parse(text) : null);

/** The cached links; null if they are older than an hour. */
export function readStoredLinks(now = Date.now()): StoredLinks | null {
  const stored = parse(readStored(keys.footerLinks)) as Partial<StoredLinks> | null;
  const lastFetched = Number(stored?.lastFetched) || 0;
  return stored && fresh(lastFetched, now) ? { data: parseLinks(stored.data), lastFetched } : null;
}

export async function fetchLinks(signal: AbortSignal): Promise<FooterLink[]> {
  const { footerData } = await call(getFooterData, {}, { signal });
  const data = parseFooter(footerData);
  writeStored(keys.footerLinks, JSON.stringify({ data, lastFetched: Date.now() }));
  return data;
}
