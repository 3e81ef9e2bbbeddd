import type { Config } from "../config/read-config.ts";
import { keep, recall } from "../wire/browser-storage.ts";
import { phone } from "./use-media.ts";

const openKey = "___anythingllm-chat-widget-open___";

const wasReloaded = (): boolean =>
  performance
    .getEntriesByType("navigation")
    .some((entry) => (entry as PerformanceNavigationTiming).type === "reload");

/** Whether the chat is open when a page is loaded. */
export class OpenState {
  readonly isOpen: boolean;
  private readonly closedKey: string;

  constructor({ embedId, openOnLoad }: Config) {
    this.closedKey = `carrel_${embedId}_closed`;
    // On a phone it would cover the next page that the visitor opens.
    const isResumed = recall(openKey) !== null && (!matchMedia(phone).matches || wasReloaded());
    // Whoever closed it meant it, for all pages.
    const isForced = openOnLoad && recall(this.closedKey, "sessionStorage") === null;
    this.isOpen = isResumed || isForced;
  }

  change(isOpen: boolean): void {
    keep(openKey, isOpen ? "1" : null);
    keep(this.closedKey, isOpen ? null : "1", "sessionStorage");
  }
}
