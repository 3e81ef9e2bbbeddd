import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { apiExample, webhookExample } from "../state/trigger-examples.ts";

interface Props {
  address: string;
  /** Of the flow's variables. */
  inputs: Record<string, string>;
}

/** A call to copy: one that waits for the result, or one that follows the run. */
export function ApiExample({ address, inputs }: Props) {
  const { t } = useTranslation("flows");
  const [reply, setReply] = useState<"whole" | "streamed">("whole");
  return (
    <>
      <div>
        <Segmented
          label={t("trigger.reply")}
          value={reply}
          options={[
            { value: "whole", label: t("trigger.whole") },
            { value: "streamed", label: t("trigger.streamed") },
          ]}
          onChange={setReply}
        />
      </div>
      <Example text={apiExample(address, inputs, reply === "streamed")} />
    </>
  );
}

export const WebhookExample = ({
  address,
  inputs,
  secret,
}: Props & {
  /** While it is known. */
  secret?: string;
}) => <Example text={webhookExample(address, inputs, secret)} />;

function Example({ text }: { text: string }) {
  const { t } = useTranslation("flows");
  return (
    <div className="relative rounded-sm bg-sunken">
      <pre
        className="overflow-x-auto py-2.5 ps-3 pe-12 font-mono text-xs/5 scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent"
        // Scrolls with the keyboard, too.
        tabIndex={0}
        role="region"
        aria-label={t("trigger.example")}
        dir="ltr"
      >
        {text}
      </pre>
      <CopyButton className="absolute end-1 top-1 bg-sunken" text={() => text} />
    </div>
  );
}
