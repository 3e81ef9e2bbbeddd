export {
  detectPictureFormat,
  encodePicture,
  largestPicture,
  type PictureBox,
  type PictureFormat,
} from "./encode-picture.ts";
export { encodeScanPage } from "./encode-scan-page.ts";
export { ConcurrencyLimit } from "./load-sharp.ts";
