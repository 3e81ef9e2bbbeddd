/** Some samples of each channel. */
export interface AudioPiece {
  channels: Float32Array[];
  rate: number;
}
