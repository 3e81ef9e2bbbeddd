import { utils, write } from "@e965/xlsx";
import { convertWorkbook } from "./convert-workbook.ts";

test("shows all digits of a number that its format shortens, and keeps chosen exponents", () => {
  const sheet = utils.aoa_to_sheet([
    ["Barcode", 4006381333931],
    ["Account", 123456789012345],
    ["Price", 12.5],
    ["Mass", 5.97e24],
  ]);
  sheet["B4"].z = "0.00E+00";
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, "Goods");
  const bytes = write(workbook, { type: "array", bookType: "xlsx" }) as ArrayBuffer;
  const mime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  expect(convertWorkbook(bytes, mime, undefined).sheets).toEqual([
    {
      name: "Goods",
      rows: [
        ["Barcode", "4006381333931"],
        ["Account", "123456789012345"],
        ["Price", "12.5"],
        ["Mass", "5.97E+24"],
      ],
    },
  ]);
});
