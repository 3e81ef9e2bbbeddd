import { useEffect, useState } from "preact/hooks";
import type { Conversation, ConversationState } from "../chat/conversation.ts";

/** Draws once per frame, however fast an answer arrives. */
export function useConversation(conversation: Conversation): ConversationState {
  const [state, setState] = useState(conversation.state);
  useEffect(() => {
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      setState(conversation.state);
    };
    const end = conversation.subscribe(() => {
      // A hidden tab has no frames, and its screen reader still reads.
      if (document.hidden) draw();
      else frame ||= requestAnimationFrame(draw);
    });
    draw();
    return () => {
      end();
      cancelAnimationFrame(frame);
    };
  }, [conversation]);
  return state;
}
