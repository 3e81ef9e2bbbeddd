import type { FillerPhrases } from "../filler-roles.ts";

export const turkishFillers: FillerPhrases = {
  glue: `
    bir, ve, veya, ya da, ama, fakat, de, da, ile, için, gibi, kadar, çok, biraz, daha, en, az,
    sadece, yalnızca, yalnız, ki, bu, şu, o, bunu, onu, bunun, bunlar, onlar, sen, siz, sana, size,
    senin, sizin, olarak, olan, olsun, olabilir, olur, olur mu, ol, olmak, var, yok, değil, ise,
    eğer, çünkü, üzere, olduğunu, olacak, olması, olmadan, mümkün, mümkünse, mümkün olduğunca,
    lazım, gerek, gerekli, gerekiyor, tüm, bütün, her, hiç, hiçbir, şey, burada, şimdi, evet,
    hayır, tamam, peki, iyi, o zaman, sonra, yoksa, aksi takdirde, lütfen unutma, hakkında, ilgili,
    birkaç, bazı, isterim, istiyorum, içinde, içinden, diye, takdirde, hem, edin, et, ederseniz,
    edersen, sadece bu, yani, fazla, kendi
  `,
  self: `
    ben, bana, beni, benim, bende, biz, bize, bizim, bizi, ihtiyacım, ihtiyacımız, istiyorum,
    hazırlıyorum, yazıyorum, çalışıyorum, öğreniyorum, araştırıyorum, yapıyorum, iş arkadaşlarım,
    iş arkadaşlarıma, arkadaşlarım, arkadaşlarıma, öğrencilerim, öğrencilerime, öğretmenim,
    patronum, ekibim, ekibime, öğrenciyim, çalışanım, olarak
  `,
  modal: `
    misin, misiniz, mısın, mısınız, musun, musunuz, müsün, müsünüz, mi, mı, mu, mü, acaba,
    mümkün mü, mümkün müdür, alabilir miyim, sorabilir miyim, öğrenebilir miyim
  `,
  please: `
    lütfen, rica etsem, rica ederim, rica ediyorum, zahmet olmazsa, mümkünse, sakıncası yoksa,
    vaktin varsa, vaktiniz varsa, bir zahmet, bu arada
  `,
  ask: `
    söyle, bana söyle, söyleyin, bana söyleyin, söyler misin, söyler misiniz, bana söyler misin,
    bana söyler misiniz, söyleyebilir misin, söyleyebilir misiniz, bana söyleyebilir misin,
    bana söyleyebilir misiniz, açıkla, açıklayın, açıklar mısın, açıklar mısınız,
    açıklayabilir misin, açıklayabilir misiniz, bana açıklar mısın, anlat, anlatın, anlatır mısın,
    anlatır mısınız, anlatabilir misin, anlatabilir misiniz, bana anlat, göster, bana göster,
    gösterir misin, bana ver, verir misin, verir misiniz, verebilir misin, verebilir misiniz,
    yardım et, yardım edin, yardım eder misin, yardım eder misiniz, yardım edebilir misin,
    yardım edebilir misiniz, yardımcı ol, yardımcı olun, yardımcı olur musun,
    yardımcı olur musunuz, yardımcı olabilir misin, yardımcı olabilir misiniz, bana yardım et,
    bana yardımcı ol, tarif et, betimle, hatırlat, bilgi ver, bilgi verin, bilgi verir misin,
    bilgi verir misiniz, bilgi verebilir misin, bilgi verebilir misiniz, biliyor musun,
    biliyor musunuz, bilen var mı, merak ediyorum, merak ettim, merak ediyordum,
    öğrenmek istiyorum, bilmek istiyorum, öğrenmek isterim, bilmek isterim, öğrenmek istiyordum,
    sormak istiyorum, sormak istiyordum, sormak isterim, anlamak istiyorum, bir sorum var,
    sorum var, bir soru, kısa bir soru, kısa bir sorum var, hızlı bir soru, sorum şu, sorum,
    sorum şudur
  `,
  learn: `
    bilmek, öğrenmek, sormak, anlamak, bulmak, bilmem, öğrenmem, anlamam, bulmam, bulmama, anlamama
  `,
  after: "bana, bize, lütfen, acaba, ki",
  greeting: `
    merhaba, merhabalar, selam, selamlar, günaydın, iyi günler, iyi akşamlar, iyi geceler,
    merhaba arkadaşlar, sevgili, sayın, nasılsın, nasılsınız, naber, umarım, kusura bakma,
    kusura bakmayın, özür dilerim, özür, pardon, affedersin, affedersiniz, afedersiniz, üzgünüm,
    soru
  `,
  closing: `
    teşekkürler, teşekkür ederim, teşekkür ederiz, çok teşekkürler, çok teşekkür ederim,
    şimdiden teşekkürler, şimdiden teşekkür ederim, teşekkür, sağ ol, sağ olun, sağolun, sağol,
    minnettarım, minnettar olurum, memnun olurum, sevinirim, saygılar, saygılarımla,
    saygılarımızla, sevgiler, sevgilerimle, selamlar, hoşça kal, hoşça kalın, görüşürüz,
    iyi günler, iyi çalışmalar, kolay gelsin, iyi günler dilerim
  `,
  courtesy: `
    şimdiden, rahatsız ettiğim için, rahatsız, ettiğim, zaman, zamanınız, vakit, yardım, yardımın,
    yardımınız, sabır, sabrınız, ilgi, ilginiz, iyisindir, iyisinizdir, günler, gün, herkese, ekip,
    tekrar, bakma, mesaj, cevap, cevabınız, dilerim, aptalca, basit, ayırdığınız
  `,
  verb: `
    cevapla, cevaplayın, cevap ver, cevap verin, yanıtla, yanıtlayın, yanıt ver, yanıt verin, yaz,
    yazın, biçimlendir, biçimlendirin, formatla, formatlayın, sun, sunun, göster, gösterin, ver,
    verin, tut, tutun, kullan, kullanın, kullanarak, kullanma, kullanmayın, kullanmadan, listele,
    listeleyin, sırala, sıralayın, yap, yapın, sınırla, kaçın, kaçının, alıntıla, alıntılayın,
    alıntı yap, belirt, belirtin, belirterek, ekle, ekleyin, ekleme, düzenle, hazırla, hazırlayın,
    oluştur, oluşturun, dayan, dayandır, ara, arayın, bak, bakın, oku, kontrol et, uydurma,
    uydurmayın, tahmin etme, tahminde bulunma, söyle, söyleyin, de, düşün, konuş, çevir, özetle,
    ifade et, aşma, geçme, geçmesin, olmasın
  `,
  answer: `
    cevap, cevabı, cevabını, cevabınızı, cevabın, cevaplar, yanıt, yanıtı, yanıtını, yanıtınızı,
    yanıtın, yanıtlar, açıklama, açıklamanı, sonuç, sonuçları, soruyu, soruya, iddia
  `,
  adverb: `
    kısaca, kısa ve öz, özetle, kısa, kısa bir şekilde, kısa şekilde, öz, ayrıntılı,
    ayrıntılı olarak, ayrıntılı bir şekilde, detaylı, detaylı olarak, detaylı bir şekilde,
    detaylıca, adım adım, madde madde, maddeler halinde, madde işaretleriyle, maddeli olarak,
    basitçe, basit bir dille, sade bir dille, basit bir şekilde, anlaşılır bir şekilde,
    anlaşılır bir dille, basit kelimelerle, birkaç kelimeyle, liste halinde, liste olarak,
    listeler halinde, tablo halinde, tablo olarak, tablo şeklinde, liste şeklinde,
    maddeler şeklinde, madde işaretli liste olarak, liste biçiminde, tablo biçiminde, örneklerle,
    bir örnekle, kaynaklarıyla, kaynak göstererek, kaynakları belirterek, kaynak belirterek,
    beş yaşındaymışım gibi, beş yaşındaki bir çocuğa anlatır gibi, çocuğa anlatır gibi,
    kelimesi kelimesine, mümkün olduğunca kısa
  `,
  manner: `
    kısaca, öz, özlü, özet, detaylı, ayrıntılı, madde, maddeler, maddeli, madde işaret*,
    numaralı liste, basit kelimeler, sade, adım, jargon, teknik terim*, uydurma, uydurmayın,
    bilmiyorsan, bilmiyorsanız, emin değilsen, emin değilseniz, tahmin, dürüst, genel bilgi,
    evet veya hayır, resmi bir dille, samimi bir dille, nazik, sayfa numara*, halüsinasyon*,
    işaretli, bilmiyorum
  `,
  form: `
    liste, listesi, listeyi, tablo, tablosu, tabloyu, biçim, biçimde, biçiminde, format,
    formatında, formatta, formda, başlık, başlıklar, başlıklarla, kalın, italik, türkçe, ingilizce,
    almanca, fransızca, ispanyolca, arapça, çince, rusça, farsça, dil, dilde, dille, üslup,
    üslupla, ton, basit, açık, açıkça, net, tam, kısa, uzun, satır, nokta, örnek, örnekler, kaynak,
    kaynaklar, kaynakları, kaynağı, kaynaklarını, kaynağını, alıntı, alıntılar, atıf, bölüm, sayfa,
    resmi, numaralı, düzenli, maksimum, başlangıç, çocuk, çocuğa, ayrıntı, ayrıntılar, detay,
    gerçek, sıra, emin, işaretleri, işaretli
  `,
  unit: `
    cümle, cümleyle, cümlede, cümleyi, cümlelik, kelime, kelimeyle, kelimede, kelimeyi, kelimelik,
    sözcük, sözcükle, paragraf, paragrafla, paragrafta, paragraflık, karakter*, satır, satırla,
    satırda, madde, maddede, maddeyle
  `,
  amount: `
    bir, iki, üç, dört, beş, altı, yedi, sekiz, dokuz, on, elli, yüz, birkaç, en fazla, en çok,
    en az, maksimum, yaklaşık, veya, ya da, tek, kısa
  `,
  lead: "bir, tek, iki, üç, dört, beş, birkaç, en fazla, olarak, şeklinde, kullanarak",
  relation: `
    göre, dayanarak, dayalı, bağlı, doğrultusunda, kullanarak, temel alarak, esas alarak,
    baz alarak, ışığında, bakarak, yola çıkarak, yararlanarak, faydalanarak, uyarınca
  `,
  source: `
    belge, belgeler, belgelere, belgelerden, belgelerde, belgeleri, belgelerin, belgesine, belgeye,
    belgede, belgeden, doküman, dokümanlar, dokümanlara, dokümanlardan, dokümanlarda, dokümanları,
    dokümanda, dokümana, dosya, dosyalar, dosyalara, dosyalardan, dosyalarda, dosyaları, dosyaya,
    dosyada, bilgi tabanı, bilgi tabanına, bilgi tabanında, bilgi bankasına, bilgi bankasında, ek,
    ekteki, ekler, bağlam, bağlama, bağlamda, bağlamı, kaynak, kaynaklar, kaynaklara, kaynaklardan,
    pdf, pdfe, çalışma alanı, çalışma alanında
  `,
  matter: `
    metin, metne, metinde, metinlere, metinlerde, metinleri, içerik, içeriğe, içerikte, içerikleri,
    malzeme, materyal, materyale, veri, veriler, verilere, bilgi, bilgiler, bilgilere, bilgileri,
    dokümantasyon*, sayfa, sayfalar, makale, makaleye, yazı
  `,
  given: `
    yüklenen, yüklenmiş, yüklediğim, yüklediğimiz, verilen, verdiğim, sağlanan, sağladığım, ekli,
    eklenen, ekteki, paylaşılan, paylaştığım, mevcut, aşağıdaki, yukarıdaki, elindeki, elinizdeki,
    sunulan, bulunan
  `,
  purpose: `
    hazırlıyorum, hazırlık, hazırlamak, hazırlanıyorum, yazıyorum, yazmak, çalışıyorum, çalışmak,
    araştırıyorum, araştırma, öğreniyorum, arıyorum, planlıyorum, yapıyorum, yardıma, yardım,
    yardımına, biraz yardıma, ihtiyacım var, ihtiyacım, işime yarar, deniyorum, çalışıyor,
    ilgileniyorum, yeni, yeniyim, memnun
  `,
  setting: `
    konuşma, konuşması, sunum, sunumu, kısa, küçük, ders, dersi, ödev, ödevi, ödevim, makale,
    rapor, raporu, tez, tezi, tezim, proje, projesi, projem, sınav, sınavı, sınavım, test, kurs,
    seminer, atelye, atölye, eğitim, toplantı, toplantısı, görüşme, röportaj, arkadaşlarım*,
    arkadaş*, iş arkadaş*, meslektaş*, ekip, ekibim*, patron*, müdür*, müşteri*, aile*, çocuklar*,
    öğrenci, öğrenciyim, öğrenciler*, öğretmen*, araştırmacı*, gazeteci*, çalışan, çalışanım,
    stajyer*, acemi*, okul*, üniversite*, iş, işte, işim*, ofis*, şirket*, bölüm*, konu, hafta,
    haftaya, gelecek, yarın, bugün, ay, şu anda, şu an, pazartesi, salı, çarşamba, perşembe, cuma,
    blog, yeni bir çalışan
  `,
  placeholder: "birisi, biri, herhangi biri, başka ne, başka kim, başka bir şey",
  asking: `
    kim, kime, kimin, kimdir, ne, nedir, neler, nelerdir, neyi, nerede, nereye, nereden, neresi,
    ne zaman, neden, niçin, niye, nasıl, kaç, hangi, hangisi, ne kadar
  `,
  mention: "kelimesi, kelimesinin, kelime, demek, denir, anlamı, sözcüğü, sözü",
};
