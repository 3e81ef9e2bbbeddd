import i18next from "i18next";
import { errorMessage } from "./fault.ts";

/** The toast UI is loaded with the first toast. Specification: bottom centre, 5000 ms. */
export interface Toast {
  kind: "success" | "error" | "info";
  message: string;
  /** Undoes what the toast reports. */
  undo?: () => void;
  /** Leads on from what the toast reports. */
  next?: { label: string; run: () => void };
  /** Duration in ms, instead of five seconds. */
  duration?: number;
}

let shown: ((toast: Toast) => void) | null = null;
const waiting: Toast[] = [];
let request: (() => void) | null = null;

/** The root component registers here to load the toast UI when it is needed. */
export function onToastNeeded(listener: () => void): void {
  request = listener;
  if (waiting.length > 0) listener();
}

/** Called by the toast UI once loaded; shows the toasts queued until then. */
export function registerToaster(show: (toast: Toast) => void): void {
  shown = show;
  for (const toast of waiting.splice(0)) show(toast);
}

function push(toast: Toast): void {
  if (shown) return shown(toast);
  waiting.push(toast);
  request?.();
}

export const toast = {
  success: (message: string, undo?: () => void): void =>
    push({ kind: "success", message, ...(undo ? { undo } : {}) }),
  /** For messages that are only true until the page changes. */
  brief: (message: string, duration: number): void => push({ kind: "success", message, duration }),
  leading: (message: string, next: Toast["next"] & object): void =>
    push({ kind: "success", message, next }),
  error: (message: string): void => push({ kind: "error", message }),
  info: (message: string): void => push({ kind: "info", message }),
};

/** The action of an undo button; if it fails, a toast says so. */
export const undoing = (undo: () => Promise<unknown>) => (): void =>
  void undo().catch((failure: unknown) =>
    toast.error(i18next.t("undoFailed", { message: errorMessage(failure) })),
  );
