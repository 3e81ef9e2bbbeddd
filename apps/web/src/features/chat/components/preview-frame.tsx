import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { previewPage } from "../state/preview-page.ts";

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
