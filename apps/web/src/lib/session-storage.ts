/**
 * What the browser keeps of a session (specification 1, section 3). The names are those that
 * existing clients of this
 * wire use, so a signed-in browser stays signed in. Storage may be refused (private windows): then
 * memory serves.
 */
const memory = new Map<string, string>();

function storage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    // Reading localStorage throws where cookies are blocked; the session then lives as long as the
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
  sidebar: "carrel_sidebar",
  unread: "carrel_unread_threads",
  resetToken: "resetToken",
  supportEmail: "anythingllm_support_email",
  appName: "anythingllm_custom_app_name",
  footerLinks: "anythingllm_footer_links",
  logo: "carrel_logo",
  viewChatHistory: "anythingllm_can_view_chat_history",
  textSize: "anythingllm_text_size",
  workspaceOrder: "anythingllm-workspace-order",
  recentPlaces: "carrel_recent_places",
  pinnedAlert: "anythingllm_pinned_document_alert",
  watchedAlert: "anythingllm_watched_document_alert",
  uploadsEmbed: "carrel_uploads_embed",
  personalization: "carrel_personalization",
} as const;
export type StorageKey = (typeof keys)[keyof typeof keys];

export function readStored(key: StorageKey): string | null {
  return memory.get(key) ?? storage()?.getItem(key) ?? null;
}

const watchers = new Map<StorageKey, Set<() => void>>();
const tell = (key: StorageKey): void => {
  for (const watcher of [...(watchers.get(key) ?? [])]) watcher();
};

/** Calls `watcher` when the value changes, here or in another tab. Gives the way to stop. */
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
  if (value !== before) tell(key);
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
    memory.set(key, value); // refused or full: it lives as long as this page
  }
}

export const readToken = (): string | null => readStored(keys.token);

/**
 * Sign out, and a token that no longer holds: user, token and time of the last check go together.
 */
export function clearSession(): void {
  writeStored(keys.user, null);
  writeStored(keys.token, null);
  writeStored(keys.timestamp, null);
}
