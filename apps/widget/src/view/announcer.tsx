import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { faultText, splitThoughts, type Message } from "../chat/message.ts";
import { parse, plainText } from "../markdown/parse.ts";
import { useWords } from "../words/words-context.ts";

interface AnnouncerProps {
  message: Message | undefined;
}

/**
 * Reads answers out block by block: each once it is complete, instead of every few letters. Only
 * those written while the conversation is open.
 */
export function Announcer({ message }: AnnouncerProps): JSX.Element {
  const words = useWords();
  const region = useRef<HTMLDivElement>(null);
  const progress = useRef({ id: "", said: 0 });
  useEffect(() => {
    const say = (text: string): void => {
      if (text.trim() === "") return;
      const line = document.createElement("p");
      line.textContent = text;
      region.current!.append(line);
    };
    if (message === undefined || message.role !== "assistant") return;
    const isWriting = message.state === "writing";
    if (progress.current.id !== message.id) {
      if (!isWriting) return;
      progress.current = { id: message.id, said: 0 };
      region.current!.replaceChildren();
      say(words.thinking);
    } else if (progress.current.said < 0) return;
    const { answer } = splitThoughts(message);
    const blocks = (parse(answer) ?? []).filter(({ type }) => type !== "space");
    for (const block of blocks.slice(progress.current.said, isWriting ? -1 : undefined))
      say(plainText(block));
    progress.current.said = Math.max(progress.current.said, blocks.length - (isWriting ? 1 : 0));
    if (isWriting) return;
    if (message.state === "stopped") say(words.stopped);
    if (message.fault !== null) say(faultText(message.fault, words));
    progress.current.said = -1;
  }, [message, words]);
  return (
    <div class="hidden" role="status" aria-live="polite" aria-relevant="additions" ref={region} />
  );
}
