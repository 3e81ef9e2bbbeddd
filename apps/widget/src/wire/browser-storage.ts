/** For pages whose storage is blocked, such as sandboxed frames. */
const memory = new Map<string, string>();

/** Local storage persists and is shared by all tabs; session storage belongs to one tab. */
type Lifetime = "localStorage" | "sessionStorage";

export function recall(key: string, lifetime: Lifetime = "localStorage"): string | null {
  try {
    return window[lifetime].getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

/** @param value null removes it */
export function keep(key: string, value: string | null, lifetime: Lifetime = "localStorage"): void {
  try {
    if (value === null) window[lifetime].removeItem(key);
    else window[lifetime].setItem(key, value);
  } catch {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
  }
}
