import {
  answerStep,
  CarrelError,
  createNamedThread,
  decideStep,
  admitModelCall,
  describeEmbedder,
  embedTexts,
  findThreadOwner,
  listAllThreads,
  readAllTurns,
  readStep,
  resetHistory,
  type In,
} from "@carrel/contracts";
import { thread } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";

/** Plausible replies of chat and ingest to what the developer API asks of it. */
export function answerDeveloperWorkspaces({ chat, ingest }: TestInstance): void {
  chat
    .answer(listAllThreads, {
      threads: [{ user_id: null, slug: "a-thread", name: "Thread", workspace_id: 1 }],
      next: null,
    })
    .answer(createNamedThread, (({ name, wantedSlug }: In<typeof createNamedThread>) => {
      if (wantedSlug === "taken") throw new CarrelError("thread.slug-taken", { slug: wantedSlug });
      return {
        thread: { ...thread, name: name ?? thread.name, slug: wantedSlug ?? thread.slug },
      };
    }) as never)
    .answer(findThreadOwner, (({ threadSlug }: In<typeof findThreadOwner>) => {
      if (threadSlug !== "a-thread") throw new CarrelError("thread.not-found");
      return { userId: null };
    }) as never)
    .answer(readAllTurns, {
      items: '{"role":"user","content":"Hi","sentAt":1,"attachments":[],"chatId":9}',
      count: 1,
      next: null,
      hasImages: false,
    })
    .answer(resetHistory, {})
    .answer(decideStep, { success: true })
    .answer(answerStep, { success: true })
    .answer(readStep, { input: "{}", result: null });
  chat.answer(admitModelCall, {});
  ingest.answer(describeEmbedder, {
    provider: "openai",
    model: "an-embedder",
    isCounted: true,
  });
  ingest.answer(embedTexts, {
    model: "an-embedder",
    vectors: [Buffer.from(Float32Array.of(0.5, -1).buffer).toString("base64")],
    tokens: 3,
  });
}
