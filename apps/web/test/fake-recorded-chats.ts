import { deleteRecordedChats, listRecordedChats, type Out } from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

type RecordedChat = Out<typeof listRecordedChats>["chats"][number];

const chatOf = (id: number): RecordedChat => {
  const isOfKey = id % 5 === 0;
  return {
    id,
    workspaceId: 1,
    prompt: `Question ${id}: which flow temperature do the radiators need at −10 °C outside?`,
    response: JSON.stringify({
      text: `<think>The survey lists the radiators.</think>At 48 °C most radiators cover the room load [1].\n\n- Answer ${id}`,
      sources: [
        { title: "survey.txt", page: null },
        { title: "Heat load calculation.pdf", page: 12 },
      ],
      type: "chat",
      attachments: id % 7 === 0 ? [{ name: "boiler.jpg" }] : [],
      ...(id % 7 === 0 ? { mentions: [{ kind: "folder", name: "plans" }] } : {}),
      metrics: { model: "gpt-4.1" },
      ...(id % 3 === 0 ? { feedbackReason: { reason: "incomplete", comment: "No source" } } : {}),
    }),
    include: id % 4 !== 0,
    user_id: isOfKey ? null : 1,
    thread_id: 1,
    api_session_id: null,
    createdAt: new Date(Date.now() - (50 - id) * 3_600_000).toISOString(),
    lastUpdatedAt: new Date().toISOString(),
    feedbackScore: id % 3 === 0 ? false : id % 3 === 1 ? true : null,
    workspace: { name: "Heat-pump retrofit", slug: "heat-pump-retrofit" },
    user: { username: isOfKey ? "unknown user" : "mira_kowalska" },
  };
};

/** Recorded chats of the fake gateway; of the filters, it knows the rating and the words. */
export class FakeRecordedChats {
  /** Requests received, without their time zone. */
  readonly asked: { path: string; input: Record<string, unknown> }[] = [];
  chats = Array.from({ length: 45 }, (_, index) => chatOf(45 - index));

  /** Returns true if it answered the call. */
  handle({ method, path, body, query, reply, response }: FakeCall): boolean {
    const at = matcher({ method, path });
    const { timeZone: _zone, ...input } = { ...Object.fromEntries(query), ...body } as Record<
      string,
      unknown
    >;
    if (at("POST", /^\/system\/workspace-chats$/)) {
      this.asked.push({ path, input });
      const found = this.chats.filter(
        ({ prompt, feedbackScore }) =>
          prompt.toLowerCase().includes(String(input.search ?? "").toLowerCase()) &&
          (input.rating === undefined || feedbackScore === (input.rating === "good")),
      );
      const start = Number(input.offset) * 20;
      return answered(
        reply(listRecordedChats, {
          chats: found.slice(start, start + 20),
          totalChats: found.length,
          nextCursor: null,
          hasPages: found.length > start + 20,
        }),
      );
    }
    const deleted = at("DELETE", /^\/system\/workspace-chats\/(-?\d+)$/);
    if (deleted) {
      this.asked.push({ path, input });
      const id = Number(deleted[1]);
      this.chats = id === -1 ? [] : this.chats.filter((chat) => chat.id !== id);
      return answered(reply(deleteRecordedChats, { success: true, error: null }));
    }
    if (at("GET", /^\/system\/export-chats$/)) {
      this.asked.push({ path, input });
      response.writeHead(200, { "Content-Type": "text/csv" });
      response.end("id,workspace,prompt,response,sent_at,username,rating");
      return true;
    }
    return false;
  }
}
