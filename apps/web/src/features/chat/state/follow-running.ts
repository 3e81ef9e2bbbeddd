import type { TurnWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { currentGenerationQuery } from "../api/turns.ts";
import { isOpen, type Generation } from "./generation.ts";
import {
  followGeneration,
  getGeneration,
  closeStream,
  type GenerationCallbacks,
} from "./generations.ts";
import { choicesOf } from "./turn-view.ts";

/**
 * Follows the answer running in this thread, whichever device started it, and detaches if another
 * tab stops it.
 */
export function useFollowRunning(
  slug: string,
  threadSlug: string | null,
  record: readonly TurnWire[],
  generation: Generation | null,
  callbacks: GenerationCallbacks,
): void {
  const current =
    useQuery({
      ...currentGenerationQuery(slug, threadSlug),
      enabled: record.some(({ state }) => state === "running" || state === "queued"),
    }).data ?? null;
  useEffect(() => {
    const running =
      record.find((each) => each.state === "running" && each.generationId !== null) ??
      record.find((each) => each.id === current?.chatId) ??
      record.find((each) => each.state === "queued" && each.generationId !== null);
    const id = running?.generationId ?? current?.id;
    const mine = getGeneration(slug, threadSlug);
    if (mine && isOpen(mine.phase)) {
      // Stopped in another tab: the record says so even if this tab's stream does not end.
      if (record.find((each) => each.id === mine.chatId)?.state === "cancelled")
        closeStream({ slug, threadSlug });
      return;
    }
    if (
      !id ||
      !running ||
      mine?.id === id ||
      (running.state !== "queued" && running.state !== "running")
    )
      return;
    void followGeneration(
      { slug, threadSlug },
      {
        id,
        chatId: running.id,
        question: running.question,
        mode: running.mode,
        queued: running.state === "queued",
        sentAt: running.sentAt,
        attachments: running.attachments ?? [],
        choices: choicesOf(running),
      },
      callbacks,
    );
  }, [record, current, slug, threadSlug, callbacks, generation?.phase]);
}
