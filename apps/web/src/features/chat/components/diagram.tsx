import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useTheme } from "../../../lib/theme.ts";
import { drawDiagram, type Drawing } from "../state/draw-diagram.ts";

/**
 * A Mermaid diagram, shown as an image, because an image runs no script and loads nothing, whatever
 * it contains. `children`, its source, is shown until it is drawn and if it can't be.
 */
export default function Diagram({ source, children }: { source: string; children: ReactNode }) {
  const { t } = useTranslation("chat");
  const theme = useTheme();
  const [drawing, setDrawing] = useState<Drawing | "failed" | null>(null);
  useEffect(() => {
    let live = true;
    drawDiagram(source, theme).then(
      (drawn) => live && setDrawing(drawn),
      () => live && setDrawing("failed"),
    );
    return () => {
      live = false;
    };
  }, [source, theme]);
  if (drawing === null) return children;
  if (drawing === "failed")
    return (
      <>
        <p className="px-3.5 pb-2 text-xs text-danger">{t("diagramFailed")}</p>
        {children}
      </>
    );
  return (
    <div
      className="overflow-x-auto p-3.5 pt-1"
      tabIndex={0}
      role="region"
      aria-label={t("diagram")}
    >
      <img
        className="mx-auto max-w-none md:max-w-full"
        src={drawing.address}
        width={drawing.width}
        height={drawing.height}
        alt={t("diagram")}
      />
    </div>
  );
}
