import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Widget } from "../api/widgets.ts";

/** The chat as visitors see it; loaded again with each save. */
export function WidgetPreview({ widget, saves }: { widget: Widget; saves: number }) {
  const { t } = useTranslation("widgets");
  const id = useId();
  return (
    <section
      className="grid grid-cols-1 content-start gap-3 self-start lg:sticky lg:top-0"
      aria-labelledby={id}
    >
      <div>
        <h2 id={id} className="text-md font-semibold">
          {t("preview")}
        </h2>
        <p className="text-fg-2">{t(widget.enabled ? "previewHelp" : "previewDisabled")}</p>
      </div>
      {widget.enabled && (
        <iframe
          key={saves}
          className="h-[560px] w-full rounded-md border border-line"
          src={`/embed/${widget.uuid}/chat`}
          title={t("preview")}
        />
      )}
    </section>
  );
}
