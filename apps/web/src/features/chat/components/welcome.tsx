import { useTranslation } from "react-i18next";
import { questionBubble } from "../../../components/ui/styles.ts";
import Markdown, { type Citations } from "./markdown.tsx";

const nothing: Citations = { open: null, active: null, sources: [] };

/**
 * The welcome messages that managers set: example questions and answers shown before the first
 * question.
 */
export default function Welcome({ messages }: { messages: { user: string; response: string }[] }) {
  const { t } = useTranslation("chat");
  return (
    <div
      className="grid gap-4 max-md:grid-cols-1 max-md:content-center max-md:px-4 max-md:pb-8"
      data-welcome
      role="group"
      aria-label={t("welcome")}
    >
      {messages.map((message, index) => (
        <div className="grid gap-3" key={index}>
          {message.user.trim() && (
            <div className={questionBubble} data-question dir="auto">
              {message.user}
            </div>
          )}
          {message.response.trim() && (
            <Markdown text={message.response} growing={false} citations={nothing} count={0} />
          )}
        </div>
      ))}
    </div>
  );
}
