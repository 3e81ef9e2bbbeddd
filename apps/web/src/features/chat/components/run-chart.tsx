import { Download, Table2, ChartColumn } from "lucide-react";
import { useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { saveFile } from "../../../lib/download.ts";
import { errorMessage } from "../../../lib/fault.ts";
import { useTheme } from "../../../lib/theme.ts";
import { toast } from "../../../lib/toast.ts";
import { chartRows, chartTable, seriesOf, type ChartOutput } from "../state/chart-data.ts";
import { drawSvg, pngBlob, svgBlob } from "../state/chart-image.ts";
import { withoutHidden } from "../state/safe-text.ts";
import { ChartDrawing } from "./chart-drawing.tsx";
import { DataTable } from "./data-table.tsx";

/**
 * Loaded with the chart library. Its figures can be read as a table, and it can be saved as a
 * picture.
 */
export default function RunChart({ chart }: { chart: ChartOutput }) {
  const { t } = useTranslation("steps");
  const theme = useTheme();
  const box = useRef<HTMLElement>(null);
  const caption = useId();
  const [isTable, setTable] = useState(false);
  const title = withoutHidden(chart.title) || t("chart.untitled");
  const series = useMemo(() => seriesOf(chart), [chart]);
  const rows = useMemo(() => chartRows(chart, series), [chart, series]);
  const save = async (format: "png" | "svg"): Promise<void> => {
    const drawing = box.current?.querySelector<SVGSVGElement>("svg.recharts-surface");
    if (!box.current || !drawing) return;
    try {
      const svg = drawSvg(drawing, title, box.current);
      const blob = format === "svg" ? svgBlob(svg) : await pngBlob(svg);
      await saveFile(new Response(blob), `${title.replace(/[/\\:*?"<>|]/g, "-")}.${format}`);
    } catch (error) {
      toast.error(t("chart.failed", { message: errorMessage(error) }));
    }
  };
  return (
    <figure
      ref={box}
      className="min-w-0 rounded-md border border-line bg-raised text-fg-1"
      data-chart
    >
      <figcaption className="flex items-center gap-1 py-1.5 ps-3 pe-1.5">
        <b className="min-w-0 flex-1 truncate font-medium" dir="auto" title={title}>
          {title}
        </b>
        <IconButton
          label={t(isTable ? "chart.asChart" : "chart.asTable")}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? <ChartColumn /> : <Table2 />}
        </IconButton>
        {!isTable && (
          <Menu
            trigger={
              <IconButton label={t("chart.download")}>
                <Download />
              </IconButton>
            }
            items={[
              { label: t("chart.savePng"), icon: Download, run: () => void save("png") },
              { label: t("chart.saveSvg"), icon: Download, run: () => void save("svg") },
            ]}
          />
        )}
      </figcaption>
      {isTable ? (
        <div className="px-3 pb-3">
          <DataTable
            title={title}
            {...chartTable(chart, t("chart.name"))}
            total={chart.rows.length}
          />
        </div>
      ) : (
        <div
          className="h-72 px-2 pb-2 max-md:h-64"
          role="img"
          aria-label={t(`chart.${chart.chart}`, { title })}
          aria-describedby={chart.caption === undefined ? undefined : caption}
          dir="ltr"
        >
          <ChartDrawing
            type={chart.chart}
            rows={rows}
            series={series}
            isLight={theme === "light"}
          />
        </div>
      )}
      {chart.caption && (
        <p id={caption} className="px-3 pb-2.5 text-xs text-fg-3 wrap-anywhere" dir="auto">
          {withoutHidden(chart.caption)}
        </p>
      )}
    </figure>
  );
}
