import type { JSX, Ref } from "preact";
import { useEffect } from "preact/hooks";
import type { Conversation } from "../chat/conversation.ts";
import type { Config } from "../config/read-config.ts";
import { useWords } from "../words/words-context.ts";
import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer.tsx";
import { Header } from "./header.tsx";
import { Messages } from "./messages.tsx";
import { useConversation } from "./use-conversation.ts";
import { useOnline } from "./use-media.ts";

interface ChatProps {
  config: Config;
  conversation: Conversation;
  name: string;
  onClose?: () => void;
  fieldRef: Ref<HTMLTextAreaElement>;
}

export function Chat({ config, conversation, name, onClose, fieldRef }: ChatProps): JSX.Element {
  const words = useWords();
  const state = useConversation(conversation);
  const isOnline = useOnline();
  useEffect(() => {
    if (isOnline) void conversation.load();
  }, [conversation, isOnline]);
  const send = (text: string): void => void conversation.send(text);
  const sponsor = config.noSponsor ? null : config.sponsorText;
  return (
    <>
      <Header
        config={config}
        name={name}
        canReset={state.messages.length > 0}
        onReset={() => void conversation.clear()}
        onClose={onClose}
      />
      <Messages
        config={config}
        name={name}
        state={state}
        onSend={send}
        onRetry={() => void conversation.retry()}
        onReload={() => void conversation.load()}
      />
      <Announcer message={state.messages.at(-1)} />
      {!isOnline && (
        <p class="offline" role="status">
          {words.offline}
        </p>
      )}
      <Composer
        placeholder={config.sendMessageText ?? words.placeholder}
        draftKey={`carrel_${config.embedId}_draft`}
        maxLength={state.session?.maxMessageLength ?? undefined}
        isWriting={state.isWriting}
        canSend={isOnline && state.phase === "ready"}
        isOpening={isOnline && (state.phase === "new" || state.phase === "loading")}
        onSend={send}
        onStop={() => conversation.stop()}
        fieldRef={fieldRef}
      />
      {sponsor !== null && (
        <p class="sponsor">
          {config.sponsorLink === null ? (
            sponsor
          ) : (
            <a href={config.sponsorLink} target="_blank" rel="noopener noreferrer">
              {sponsor}
            </a>
          )}
        </p>
      )}
    </>
  );
}
