import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { nameOfWidget, useAllowlistRequired, type Widget } from "../api/widgets.ts";

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** The script tag that shows the widget on a site; `server` is this instance's origin. */
export function scriptSnippet(
  { uuid, appearance }: Pick<Widget, "uuid" | "appearance">,
  server: string,
): string {
  const attributes = {
    embedId: uuid,
    baseApiUrl: `${server}/api/embed`,
    ...appearance,
  };
  return [
    "<script",
    ...Object.entries(attributes).map(([name, value]) => {
      const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return `  data-${attribute}="${escaped(value)}"`;
    }),
    `  src="${server}/embed/carrel-widget.js"`,
    "></script>",
  ].join("\n");
}

const pageAddress = ({ uuid }: Pick<Widget, "uuid">, server: string): string =>
  `${server}/embed/${uuid}/chat`;

/** Shows the full-page chat inside a page. */
export const frameSnippet = (widget: Pick<Widget, "uuid">, server: string, title: string): string =>
  `<iframe src="${pageAddress(widget, server)}" title="${escaped(title)}" width="400" height="600" style="border: 0"></iframe>`;

/** Code to copy into a site: the script, the link or the frame. */
export function WidgetSnippetDialog({ widget, onClose }: { widget: Widget; onClose: () => void }) {
  const { t } = useTranslation("widgets");
  const server = location.origin;
  const isListRequired = useAllowlistRequired();
  const hasNoSites =
    widget.allowlist_domains === null && (isListRequired || !widget.allow_any_origin);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("snippet.title", { name: nameOfWidget(widget) })}
      className="w-[min(640px,100vw-24px)]"
    >
      {(!widget.enabled || hasNoSites) && (
        <Notice kind="warn">
          <p>{t(widget.enabled ? "snippet.noSites" : "snippet.disabled")}</p>
        </Notice>
      )}
      <Snippet
        label={t("snippet.script")}
        help={t("snippet.scriptHelp")}
        text={scriptSnippet(widget, server)}
      />
      {widget.page_enabled ? (
        <>
          <Snippet label={t("snippet.link")} text={pageAddress(widget, server)} />
          <Snippet
            label={t("snippet.frame")}
            text={frameSnippet(widget, server, nameOfWidget(widget))}
          />
        </>
      ) : (
        <p className="text-fg-3">{t("snippet.pageOff")}</p>
      )}
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t("snippet.close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Snippet({ label, help, text }: { label: string; help?: string; text: string }) {
  const id = useId();
  return (
    <div className="grid grid-cols-1 gap-1.5" role="group" aria-labelledby={id}>
      <div className="flex items-end justify-between gap-2">
        <div>
          <h3 id={id} className="font-medium">
            {label}
          </h3>
          {help && <p className="text-xs text-fg-3">{help}</p>}
        </div>
        <CopyButton words size="sm" text={() => text} />
      </div>
      <pre
        className="rounded-sm border border-line bg-sunken px-3 py-2 text-xs wrap-anywhere whitespace-pre-wrap"
        dir="ltr"
      >
        {text}
      </pre>
    </div>
  );
}
