/**
 * The browser's storage (specification 1, section 3). The keys are the same as in existing clients
 * of this wire, so a signed-in browser stays signed in. Falls back to memory when storage is
 * blocked (private windows).
 */
const memory = new Map<string, string>();

function storage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    // Accessing localStorage throws when cookies are blocked; the session then lasts as long as the
    // page.
    return null;
  }
}

export const keys = {
  user: "anythingllm_user",
  token: "anythingllm_authToken",
  timestamp: "anythingllm_authTimestamp",
  lastWorkspace: "anythingllm_last_visited_workspace",
  drafts: "anythingllm_user_prompt_input_map",
  theme: "theme",
  language: "i18nextLng",
  sidebar: "carrel_sidebar",
  unread: "carrel_unread_threads",
  resetToken: "resetToken",
  supportEmail: "anythingllm_support_email",
  appName: "anythingllm_custom_app_name",
  footerLinks: "anythingllm_footer_links",
  logo: "carrel_logo",
  logoFetch: "carrel_logo_fetch",
  viewChatHistory: "anythingllm_can_view_chat_history",
  textSize: "anythingllm_text_size",
  workspaceOrder: "anythingllm-workspace-order",
  recentPlaces: "carrel_recent_places",
  questionnaire: "anythingllm_completed_questionnaire",
  pinnedAlert: "anythingllm_pinned_document_alert",
  watchedAlert: "anythingllm_watched_document_alert",
  uploadsEmbed: "carrel_uploads_embed",
  personalization: "carrel_personalization",
  voice: "carrel_voice",
  tracing: "carrel_tracing",
  budgetNotices: "carrel_budget_notices",
} as const;
export type StorageKey = (typeof keys)[keyof typeof keys];

export function readStored(key: StorageKey): string | null {
  return memory.get(key) ?? storage()?.getItem(key) ?? null;
}

const watchers = new Map<StorageKey, Set<() => void>>();
const notify = (key: StorageKey): void => {
  for (const watcher of [...(watchers.get(key) ?? [])]) watcher();
};

/**
 * Calls `watcher` when the value changes, here or in another tab. Returns a function that stops
 * watching.
 */
export function watchStored(key: StorageKey, watcher: () => void): () => void {
  const elsewhere = (event: StorageEvent): void => {
    if (event.key === key || event.key === null) watcher();
  };
  const known = watchers.get(key) ?? new Set();
  watchers.set(key, known.add(watcher));
  addEventListener("storage", elsewhere);
  return () => {
    known.delete(watcher);
    removeEventListener("storage", elsewhere);
  };
}

export function writeStored(key: StorageKey, value: string | null): void {
  const before = readStored(key);
  write(key, value);
  if (value !== before) notify(key);
}

function write(key: StorageKey, value: string | null): void {
  const store = storage();
  if (value === null) {
    memory.delete(key);
    store?.removeItem(key);
    return;
  }
  try {
    if (!store) throw new Error("no storage");
    store.setItem(key, value);
    memory.delete(key);
  } catch {
    memory.set(key, value); // blocked or full: lasts as long as the page
  }
}

export const readToken = (): string | null => readStored(keys.token);

/** On sign-out or an invalid token: removes user, token and time of the last check together. */
export function clearSession(): void {
  writeStored(keys.user, null);
  writeStored(keys.token, null);
  writeStored(keys.timestamp, null);
}

/** Sessions are rechecked after five minutes (specification 1, section 9). */
const recheckAfter = 5 * 60 * 1000;

/** True if there has been no check yet or the last one is older than five minutes. */
export function needsCheck(now = Date.now()): boolean {
  const last = Number(readStored(keys.timestamp));
  return !last || now - last > recheckAfter || last > now;
}
