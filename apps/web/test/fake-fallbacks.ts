import {
  getInstanceFallbacks,
  getWorkspaceFallbacks,
  setInstanceFallbacks,
  setWorkspaceFallbacks,
  type FallbackModels,
  type listWorkspaceProviders,
  type Out,
} from "@carrel/contracts";
import { answered, type FakeCall } from "./fake-call.ts";

/** Models that answer when the chosen one can't. */
export class FakeFallbacks {
  instance: FallbackModels = [];
  /** Workspaces' own lists, by slug. */
  own: Record<string, FallbackModels> = {};

  constructor(private readonly ready: () => Out<typeof listWorkspaceProviders>) {}

  /** Returns true if it answered the call. */
  handle({ path, method, body, reply }: FakeCall): boolean {
    const [, slug] = /^\/(?:system|workspace\/([^/]+))\/fallback-models$/.exec(path) ?? [
      null,
      null,
    ];
    if (slug === null) return false;
    const sent = body.models as FallbackModels | null;
    if (method === "PUT") {
      if (slug === undefined) this.instance = sent ?? [];
      else if (sent === null) delete this.own[slug];
      else this.own[slug] = sent;
      return answered(
        reply(slug === undefined ? setInstanceFallbacks : setWorkspaceFallbacks, { success: true }),
      );
    }
    const { instance } = this;
    const { providers } = this.ready();
    return answered(
      slug === undefined
        ? reply(getInstanceFallbacks, { models: instance, providers })
        : reply(getWorkspaceFallbacks, { models: this.own[slug] ?? null, instance, providers }),
    );
  }
}
