import type { FillerPhrases } from "../filler-roles.ts";

export const indonesianFillers: FillerPhrases = {
  glue: `
    yang, dan, atau, tapi, tetapi, namun, jadi, maka, juga, hanya, cuma, saja, sangat, sekali,
    sedikit, lebih, kurang, ini, itu, nya, adalah, ialah, ada, tidak, tak, jangan, bukan, belum,
    tanpa, kalau, jika, bila, apabila, karena, sebab, untuk, bagi, dari, ke, di, pada, dengan,
    dalam, oleh, tentang, mengenai, soal, antara, agar, supaya, sehingga, bisa, dapat, mungkin,
    boleh, mau, ingin, akan, harus, perlu, semua, setiap, seluruh, di sini, sekarang, ya, ok, oke,
    baik, lalu, kemudian, beberapa, sebuah, suatu, seorang, anda, kamu, kau, kalian, dia, mereka,
    sesuatu, lagi, pun, sih, dong, deh, sedang, sudah, telah, apa pun, sebaliknya, berkenan, hal,
    tersebut, secara, sebisa mungkin, seperlunya
  `,
  self: "saya, aku, kami, kita, ku, saya adalah, sebagai, sebagai seorang, saya sedang, rekan saya",
  modal: `
    bisakah, bisakah kamu, bisakah anda, dapatkah, dapatkah anda, bisa kamu, bisa anda,
    bisa tolong, maukah, maukah anda, maukah kamu, bolehkah, bolehkah saya, boleh saya,
    bisakah saya, apakah anda bisa, apakah kamu bisa, apakah bisa, apakah mungkin, mungkinkah,
    apakah ada yang bisa, adakah yang bisa, kiranya, sudikah, apakah anda dapat, bersediakah
  `,
  please: `
    tolong, mohon, silakan, harap, minta tolong, jika memungkinkan, kalau bisa, jika bisa,
    jika berkenan, jika ada waktu, jika tidak keberatan, omong omong, coba
  `,
  ask: `
    beri tahu saya, beritahu saya, memberi tahu saya, memberitahu saya, beri tahu, beritahu,
    memberitahu, beri tahukan, beritahukan, katakan, katakan kepada saya, jelaskan,
    jelaskan kepada saya, menjelaskan, menjelaskan kepada saya, jelasin, tunjukkan,
    tunjukkan kepada saya, bantu saya, membantu saya, bantu, membantu, bantu saya memahami,
    ceritakan, gambarkan, deskripsikan, terangkan, uraikan, ingatkan saya, beri saya, berikan saya,
    informasikan, tahukah anda, tahukah kamu, apakah anda tahu, apakah kamu tahu, apa kamu tahu,
    anda tahu, ada yang tahu, saya ingin tahu, saya mau tahu, aku ingin tahu, kami ingin tahu,
    saya ingin mengetahui, saya ingin bertanya, saya mau bertanya, saya mau tanya, mau tanya,
    ingin bertanya, numpang tanya, izin bertanya, saya penasaran, penasaran, saya bertanya tanya,
    saya punya pertanyaan, saya ada pertanyaan, ada pertanyaan, satu pertanyaan,
    pertanyaan singkat, pertanyaan cepat, pertanyaan saya, pertanyaan saya adalah,
    pertanyaannya adalah
  `,
  learn: `
    tahu, mengetahui, bertanya, tanya, memahami, mengerti, mencari tahu, menemukan, mencari,
    belajar, menanyakan
  `,
  after: "apakah, bahwa, kepada saya, kepada kami, saya, lebih lanjut, tentang, mengenai",
  greeting: `
    halo, hai, hei, hallo, selamat pagi, selamat siang, selamat sore, selamat malam, pagi, siang,
    malam, assalamualaikum, salam, salam sejahtera, halo semua, halo semuanya, halo lagi, yth,
    kepada yth, apa kabar, bagaimana kabarmu, semoga, semoga anda, maaf, mohon maaf, permisi,
    maafkan saya, pertanyaan
  `,
  closing: `
    terima kasih, terima kasih banyak, makasih, makasih banyak, trims, terimakasih,
    banyak terima kasih, terima kasih sebelumnya, sebelumnya terima kasih,
    atas perhatiannya terima kasih, saya menghargai, saya sangat menghargai, saya berterima kasih,
    hormat saya, hormat kami, salam, salam hangat, salam hormat, sampai jumpa,
    semoga harimu menyenangkan, semoga hari anda menyenangkan
  `,
  courtesy: `
    sebelumnya, mengganggu, ganggu, gangguan, waktu, waktunya, bantuan, bantuannya, kesabaran,
    perhatian, perhatiannya, atas, sehat, baik baik, hari, semua, semuanya, tim, pak, bu, min,
    asisten, pesan, jawaban, jawabannya, bodoh, menyenangkan
  `,
  verb: `
    jawab, jawablah, menjawab, balas, tulis, tuliskan, menulis, format, formatkan, formatlah,
    sajikan, sajikanlah, tampilkan, berikan, beri, gunakan, gunakanlah, pakai, memakai,
    menggunakan, buat, buatkan, buatlah, daftarkan, sebutkan, cantumkan, batasi, hindari, kutip,
    kutiplah, mengutip, sertakan, tambahkan, susun, jaga, jadikan, rujuk, lihat, cari, periksa,
    baca, mengarang, mengada ada, menebak, katakan, pikirkan, berpikir, bicara, terjemahkan,
    ringkas, nyatakan, menambahkan, melebihi
  `,
  answer: `
    jawaban, jawabannya, jawabanmu, jawaban anda, balasan, respons, tanggapan, penjelasan,
    penjelasannya, hasil, hasilnya, pertanyaan, pernyataan
  `,
  adverb: `
    secara singkat, singkat, dengan singkat, singkatnya, secara ringkas, ringkasnya, secara padat,
    singkat dan jelas, secara detail, secara rinci, secara terperinci, dengan detail, dengan rinci,
    secara lengkap, secara mendalam, langkah demi langkah, poin demi poin,
    dengan kata kata sederhana, dengan bahasa sederhana, dalam bahasa sederhana,
    dalam bahasa yang sederhana, dengan bahasa yang sederhana, secara sederhana, dengan jelas,
    dengan kata katamu sendiri, dalam beberapa kata, dalam bentuk daftar, dalam bentuk poin,
    dalam bentuk poin poin, dalam bentuk tabel, dalam poin poin, sebagai daftar,
    sebagai daftar berpoin, sebagai tabel, berupa daftar, berupa tabel, dengan poin poin,
    dengan contoh, dengan sumber, dengan menyebutkan sumber, disertai sumber,
    seolah olah saya berusia lima tahun, seperti kepada anak kecil, kata demi kata,
    sesingkat mungkin
  `,
  manner: `
    singkat, ringkas, padat, rinci, terperinci, detail, mendetail, poin, poin poin, butir,
    butir butir, berpoin, berbutir, bullet, daftar bernomor, kata kata sederhana, bahasa sederhana,
    langkah, jargon, mengarang, mengada ada, menebak, tidak tahu, tidak yakin, berspekulasi, jujur,
    pengetahuan umum, ya atau tidak, nada formal, nada ramah, sopan, nomor halaman, bertele tele
  `,
  form: `
    daftar, tabel, format, bentuk, judul, subjudul, tebal, miring, indonesia, bahasa,
    bahasa indonesia, bahasa inggris, inggris, jerman, prancis, spanyol, arab, mandarin, jepang,
    rusia, gaya, nada, sederhana, jelas, tepat, akurat, lengkap, pendek, panjang, baris, contoh,
    sumber, sumbermu, kutipan, rujukan, referensi, bagian, halaman, formal, bernomor, terstruktur,
    maksimal, maksimum, pemula, anak, fakta, urutan, yakin
  `,
  unit: "kalimat, kata, paragraf, karakter, baris, poin",
  amount: `
    satu, dua, tiga, empat, lima, enam, tujuh, delapan, sembilan, sepuluh, lima puluh, seratus,
    beberapa, maksimal, maksimum, paling banyak, paling sedikit, minimal, tidak lebih dari,
    kurang dari, lebih dari, sekitar, atau, sampai, sebuah, pendek, singkat
  `,
  lead: "dalam, dengan, sebagai, berupa, memakai, menggunakan, tanpa, pakai, satu, dua, tiga",
  relation: `
    berdasarkan, menurut, sesuai, sesuai dengan, merujuk pada, mengacu pada, dengan mengacu pada,
    menggunakan, dengan menggunakan, dari, hanya dari, hanya berdasarkan, atas dasar, mengingat,
    dengan mempertimbangkan, di dalam
  `,
  source: `
    dokumen, dokumen dokumen, berkas, file, basis pengetahuan, lampiran, konteks, sumber,
    sumber sumber, pdf, ruang kerja, unggahan
  `,
  matter: `
    teks, isi, konten, materi, bahan, data, informasi, dokumentasi, halaman, artikel, kutipan,
    basis data
  `,
  given: `
    diunggah, yang diunggah, diupload, diberikan, disediakan, dilampirkan, terlampir, tersedia,
    di atas, di bawah, berikut, dibagikan, tersimpan, saya unggah, saya berikan, ada, kamu miliki,
    anda miliki
  `,
  purpose: `
    mempersiapkan, menyiapkan, siapkan, menulis, mengerjakan, bekerja, belajar, meneliti, mencari,
    merencanakan, membuat, bantuan, sedikit bantuan, butuh, butuh bantuan, membutuhkan, memerlukan,
    perlu bantuan, mencoba, tertarik, baru, menyusun
  `,
  setting: `
    ceramah, pidato, presentasi, kuliah, singkat, pendek, kecil, esai, artikel, laporan, skripsi,
    tesis, makalah, tugas, pr, proyek, ujian, tes, kuis, kursus, kelas, pelajaran, seminar,
    lokakarya, pelatihan, rapat, wawancara, kolega, rekan, rekan rekan, teman, teman teman, tim,
    bos, atasan, klien, pelanggan, keluarga, anak anak, mahasiswa, mahasiswi, pelajar, siswa,
    siswi, murid, guru, dosen, peneliti, jurnalis, wartawan, karyawan, pegawai, magang, pemula,
    sekolah, universitas, kampus, kerja, pekerjaan, kantor, perusahaan, departemen, topik, minggu,
    depan, besok, hari ini, bulan, saat ini, senin, selasa, rabu, kamis, jumat, blog, karyawan baru
  `,
  placeholder: "seseorang, siapa saja, siapa pun, apa lagi, siapa lagi",
  asking: `
    apa, siapa, kapan, mana, di mana, dimana, mengapa, kenapa, bagaimana, berapa, berapakah,
    siapakah, kapankah
  `,
  mention: "kata, arti, artinya, istilah, berarti, dari",
};
