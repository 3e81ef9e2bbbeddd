import { useMemo } from "react";
import { useTranslation } from "react-i18next";

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

/** Elements that load or navigate. Some bypass the policy (preconnect). */
const removed = "script, link, meta, base, iframe, frame, frameset, object, embed, portal";
const addresses = ["href", "xlink:href", "ping", "target", "action", "formaction"];

/**
 * A page for the preview frame: the source without anything that would request or open something.
 */
function previewPage(source: string): string {
  const page = new DOMParser().parseFromString(source, "text/html");
  for (const element of page.querySelectorAll(removed)) element.remove();
  for (const element of page.querySelectorAll("animate, set"))
    if (/href/i.test(element.getAttribute("attributeName") ?? "")) element.remove();
  for (const element of page.querySelectorAll("a, area, form, button, input"))
    for (const name of addresses) element.removeAttribute(name);
  const head = [
    `<meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta http-equiv="x-dns-prefetch-control" content="off">`,
  ];
  return `<!doctype html><html><head>${head.join("")}${page.head.innerHTML}</head>${page.body.outerHTML}</html>`;
}

/**
 * HTML or SVG from a model. The frame has no origin and may run no script, submit no form and open
 * no window; its policy forbids every request (docs/decisions/network-security.md).
 */
export default function PreviewFrame({ source }: { source: string }) {
  const { t } = useTranslation("chat");
  const page = useMemo(() => previewPage(source), [source]);
  return (
    <iframe
      className="block h-90 w-full border-0 bg-white scheme-light"
      title={t("preview")}
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={page}
    />
  );
}
