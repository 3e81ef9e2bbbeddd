import {
  createMemory,
  deleteMemory,
  listMemories,
  memoryLimits,
  promoteMemory,
  updateMemory,
  updatePreferences,
  type MemoryWire,
} from "@carrel/contracts";
import { answered, type FakeCall } from "./fake-call.ts";

/**
 * Memories and personalization settings of the fake gateway's only user. Workspaces are numbered in
 * the order their slugs first appear.
 */
export class FakeMemories {
  enabled = false;
  extraction = true;
  list: MemoryWire[] = [];
  /** Rejects the next change with this. */
  refuse: { status: number; message: string } | null = null;
  sent: { method: string; path: string; body: Record<string, unknown> }[] = [];
  private nextId = 1;
  private slugs: string[] = [];

  /** The part of the instance's public settings. */
  get settings(): Record<string, unknown> {
    return { MemoryEnabled: this.enabled, MemoryAutoExtraction: this.extraction };
  }
  add(content: string, slug: string | null, more: Partial<MemoryWire> = {}): MemoryWire {
    const memory: MemoryWire = {
      id: (this.nextId += 1),
      userId: null,
      workspaceId: slug === null ? null : this.workspaceOf(slug),
      scope: slug === null ? "global" : "workspace",
      content,
      lastUsedAt: null,
      createdAt: "2026-11-21T08:00:00.000Z",
      updatedAt: "2026-11-21T08:00:00.000Z",
      ...more,
    };
    this.list.push(memory);
    return memory;
  }
  private workspaceOf(slug: string): number {
    if (!this.slugs.includes(slug)) this.slugs.push(slug);
    return this.slugs.indexOf(slug) + 1;
  }
  private within(workspaceId: number | null): MemoryWire[] {
    return this.list.filter((each) => each.workspaceId === workspaceId);
  }

  /** Returns true if it answered the call. */
  handle({ method, path, body, json, reply }: FakeCall): boolean {
    const is = (wanted: string, pattern: RegExp): RegExpExecArray | null =>
      method === wanted ? pattern.exec(path) : null;
    const isSwitch =
      method === "POST" &&
      path === "/admin/system-preferences" &&
      ("memory_enabled" in body || "memory_auto_extraction" in body);
    if (!isSwitch && !/^\/(workspaces\/[^/]+\/)?memories/.test(path)) return false;
    if (method !== "GET") this.sent.push({ method, path, body });
    if (this.refuse !== null && method !== "GET") {
      const { status, message } = this.refuse;
      this.refuse = null;
      return answered(json({ success: false, error: message }, status));
    }
    if (isSwitch) {
      if ("memory_enabled" in body) this.enabled = body.memory_enabled === "true";
      if ("memory_auto_extraction" in body)
        this.extraction = body.memory_auto_extraction === "true";
      return answered(reply(updatePreferences, { success: true, error: null }));
    }
    if (!this.enabled) return answered(json({ error: "Personalization is disabled." }, 403));
    let match: RegExpExecArray | null;
    if ((match = is("GET", /^\/workspaces\/([^/]+)\/memories$/)))
      return answered(
        reply(listMemories, {
          memories: {
            global: this.within(null),
            workspace: this.within(this.workspaceOf(match[1]!)),
          },
        }),
      );
    if ((match = is("POST", /^\/workspaces\/([^/]+)\/memories$/)))
      return answered(
        reply(createMemory, {
          memory: this.add(String(body.content), body.scope === "global" ? null : match[1]!),
        }),
      );
    const memory = this.list.find(({ id }) => String(id) === path.split("/")[2]);
    if (!memory) return answered(json({ error: "Memory not found." }, 404));
    if (method === "PUT") memory.content = String(body.content);
    if (method === "DELETE") {
      this.list = this.list.filter((each) => each !== memory);
      return answered(reply(deleteMemory, { success: true }));
    }
    if ((match = is("POST", /^\/memories\/\d+\/demote\/([^/]+)$/)))
      Object.assign(memory, { workspaceId: this.workspaceOf(match[1]!), scope: "workspace" });
    if (is("POST", /^\/memories\/\d+\/promote$/)) {
      if (this.within(null).length >= memoryLimits.global)
        return answered(
          json(
            {
              error: `At most ${memoryLimits.global} global memories can be kept. Delete one first.`,
            },
            400,
          ),
        );
      Object.assign(memory, { workspaceId: null, scope: "global" });
    }
    return answered(reply(method === "PUT" ? updateMemory : promoteMemory, { memory }));
  }
}
