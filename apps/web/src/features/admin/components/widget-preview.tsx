import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Widget } from "../api/widgets.ts";
import { previewOf, type WidgetDraft } from "../state/widget-draft.ts";

/** The widget as edited, on somebody's page. It answers with a sample, which isn't stored. */
export function WidgetPreview({ widget, draft }: { widget: Widget; draft: WidgetDraft }) {
  const { t } = useTranslation("widgets");
  const id = useId();
  const frame = useRef<HTMLIFrameElement>(null);
  const shown = JSON.stringify({
    ...previewOf(draft, widget),
    sampleAnswer: t("previewAnswer"),
  });
  const send = (): void =>
    frame.current?.contentWindow?.postMessage(JSON.parse(shown), location.origin);
  useEffect(send, [shown]);
  return (
    <section
      className="grid grid-cols-1 content-start gap-3 self-start lg:sticky lg:top-0"
      aria-labelledby={id}
    >
      <div>
        <h2 id={id} className="text-md font-semibold">
          {t("preview")}
        </h2>
        <p className="text-fg-2">{t("previewHelp")}</p>
      </div>
      <iframe
        ref={frame}
        className="h-[620px] w-full lg:h-[clamp(460px,100dvh-320px,720px)] rounded-md border border-line"
        src="/embed/preview"
        title={t("preview")}
        onLoad={send}
      />
    </section>
  );
}
