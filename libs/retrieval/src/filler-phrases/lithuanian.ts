import type { FillerPhrases } from "../filler-roles.ts";

export const lithuanianFillers: FillerPhrases = {
  glue: `
    ir, ar, arba, bet, o, tai, taip pat, tik, vien, vien tik, labai, šiek tiek, mielai, kad, kuris,
    kuri, kurie, kurios, kuriuos, kurią, yra, buvo, būti, būtų, bus, esi, esate, tu, tave, tavo,
    tau, jūs, jūsų, jums, jis, ji, jie, jos, jį, šis, ši, šie, šią, šį, šiuo, tas, ta, to, ne,
    nėra, niekada, nieko, jei, jeigu, nes, dėl, apie, į, iš, su, be, prie, per, ant, pagal, gali,
    galite, galima, įmanoma, noriu, norėčiau, norėtume, reikia, reikėtų, visi, visus, visas,
    kiekvienas, čia, dabar, gerai, tada, priešingu atveju, kelis, keletą, kažką, kuo, kiek įmanoma,
    malonus, maloni, malonūs, bei, pats, savo, jokių, joks, prašom, visko
  `,
  self: `
    aš, man, mane, mano, esu, mes, mus, mums, mūsų, kaip, man reikia, reikia, noriu, norėčiau,
    rengiu, rašau, dirbu, mokausi, studijuoju, tyrinėju, kolegoms, savo kolegoms
  `,
  modal: `
    ar gali, ar galite, ar galėtum, ar galėtumėte, ar galėtumėt, gal gali, gal galite, gal galėtum,
    gal galėtumėte, galėtum, galėtumėte, galėtumėt, gal, ar galiu, ar galėčiau, ar galime,
    ar įmanoma, ar būtų galima, ar būtų įmanoma, ar kas nors gali, ar kas nors galėtų
  `,
  please: `
    prašau, prašyčiau, prašom, prašome, būk malonus, būk maloni, būkite malonūs, būk geras,
    būkit geri, jei galima, jei įmanoma, jei galite, jei turi laiko, jei turite laiko, beje,
    maloniai
  `,
  ask: `
    pasakyk, pasakyk man, pasakykite, pasakykite man, pasakyti, pasakyti man, man pasakyti, sakyk,
    paaiškink, paaiškink man, paaiškinkite, paaiškinkite man, paaiškinti, man paaiškinti, parodyk,
    parodyk man, parodykite, duok man, pateik man, padėk, padėk man, padėkite, padėkite man,
    padėti, man padėti, padėti man, padėti suprasti, aprašyk, aprašykite, apibūdink, priminkite,
    informuok, ar žinai, ar žinote, gal žinai, gal žinote, ar kas nors žino, įdomu, man įdomu,
    norėčiau sužinoti, noriu sužinoti, norėčiau žinoti, noriu žinoti, norėjau sužinoti,
    norėjau paklausti, norėčiau paklausti, noriu paklausti, svarstau, turiu klausimą,
    turėčiau klausimą, vienas klausimas, greitas klausimas, trumpas klausimas, klausimas,
    mano klausimas yra, mano klausimas, mano klausimas toks, klausimas toks
  `,
  learn: "žinoti, sužinoti, paklausti, suprasti, rasti, išsiaiškinti, klausti, surasti",
  after: "ar, kad, man, mums, daugiau, apie",
  greeting: `
    sveiki, sveikas, sveika, labas, laba diena, labas rytas, labas vakaras, labą dieną,
    labą vakarą, sveiki visi, gerbiamas, gerbiama, gerbiamieji, mielas, miela, mieli, kaip sekasi,
    kaip laikaisi, tikiuosi, atsiprašau, atleisk, atleiskite, apgailestauju, klausimas
  `,
  closing: `
    ačiū, labai ačiū, dėkoju, labai dėkoju, iš anksto dėkoju, iš anksto ačiū, ačiū iš anksto,
    dėkui, dėkojame, nuoširdžiai dėkoju, dėkingas, dėkinga, būčiau dėkingas, būčiau dėkinga,
    pagarbiai, su pagarba, linkėjimai, geriausi linkėjimai, nuoširdžiai, viso gero, iki,
    geros dienos, gražios dienos, sėkmės
  `,
  courtesy: `
    iš anksto, anksto, trukdau, trukdymą, kad trukdau, sutrukdžiau, laiką, laiko, pagalbą,
    pagalbos, kantrybę, dienos, diena, rytas, vakaras, visiems, visi, komanda, vėl, žinutė,
    atsakymą, sekasi, gero, kvailas
  `,
  verb: `
    atsakyk, atsakykite, atsakyti, rašyk, rašykite, parašyk, parašykite, suformatuok,
    suformatuokite, formatuok, pateik, pateikite, pateikti, parodyk, rodyk, laikyk, naudok,
    naudokite, naudoti, naudodamas, naudojant, naudodami, išvardyk, išvardykite, išvardink,
    padaryk, sudaryk, sudarykite, apribok, venk, venkite, cituok, cituokite, nurodyk, nurodykite,
    nurodant, paminėk, įtrauk, būk, būkite, struktūruok, formuluok, suformuluok, pridėk, remkis,
    remkitės, ieškok, žiūrėk, skaityk, patikrink, išgalvok, neišgalvok, neišgalvokite, nespėliok,
    nespėliokite, spėliok, sakyk, pasakyk, galvok, mąstyk, kalbėk, versk, apibendrink
  `,
  answer: `
    atsakymas, atsakymą, atsakymo, atsakymai, atsakymus, savo atsakymą, paaiškinimas, paaiškinimą,
    rezultatas, rezultatą, rezultatus, klausimą, teiginius, teiginį
  `,
  adverb: `
    trumpai, glaustai, trumpai ir aiškiai, lakoniškai, keliais žodžiais, išsamiai, detaliai,
    smulkiai, žingsnis po žingsnio, punktais, paprastai, paprastais žodžiais, paprasta kalba,
    suprantamai, aiškiai, savais žodžiais, sąrašu, kaip sąrašą, sąrašo forma, lentele,
    kaip lentelę, lentelės forma, sąrašo pavidalu, lentelės pavidalu, su pavyzdžiais, su pavyzdžiu,
    su šaltiniais, nurodant šaltinius, lyg man būtų penkeri, kaip vaikui, pažodžiui, kuo trumpiau
  `,
  manner: `
    trumpą, trumpas, trumpu, glaustas, glaustą, išsamų, išsamus, detalų, ženklint*, suženklint*,
    punktai, punktais, numeruot*, paprastais žodžiais, žingsnis, žargono, žargonas, neišgalvok,
    išgalvok, nežinai, nežinote, nesi tikras, nesate tikri, nespėliok, sąžiningai,
    bendrosiomis žiniomis, taip arba ne, oficialiu tonu, draugišku tonu, mandagiai,
    puslapių numeri*, puslapio numer*
  `,
  form: `
    sąrašas, sąrašą, sąrašu, sąrašo, lentelė, lentelę, lentelės, formatas, formatu, forma, formoje,
    antraštė, antraštes, antraštės, paryškint*, lietuviškai, lietuvių, angliškai, anglų, vokiškai,
    vokiečių, prancūziškai, ispaniškai, rusiškai, rusų, lenkiškai, arabiškai, kiniškai, kalba,
    kalbą, stilius, stiliumi, tonas, tonu, paprastas, paprastą, aiškus, aiškų, tikslus, tiksliai,
    pilnas, ilgas, eilutė, eilutės, eilutes, punktas, pavyzdys, pavyzdžius, pavyzdžių, pavyzdžiais,
    šaltinis, šaltiniai, šaltinius, citata, citatas, citatą, nuoroda, nuorodas, puslapis,
    oficialus, oficialiai, numeruotas, struktūruotas, pradedanč*, vaikas, vaikui, detalės, faktai,
    tvarka, tikras
  `,
  unit: `
    sakinys, sakinį, sakiniu, sakiniai, sakinius, sakiniais, sakinių, žodis, žodžiai, žodžiu,
    žodžiais, žodžių, pastraipa, pastraipą, pastraipoje, pastraipos, pastraipas, simboli*,
    eilutėmis, eilučių, punktai, punktais
  `,
  amount: `
    vienas, vienu, viena, vieną, vienoje, du, dviem, dvi, trys, trimis, tris, keturi, keturiais,
    penki, penkiais, šeši, septyni, aštuoni, devyni, dešimt, penkiasdešimt, šimtas, keli, keliais,
    keletas, ne daugiau kaip, ne daugiau nei, daugiausia, mažiausiai, bent, mažiau nei, maždaug,
    apie, arba, iki, vos, trumpais
  `,
  lead: `
    vienu, dviem, trimis, keliais, vienoje, keliomis, kaip, su, be, ne daugiau kaip, naudojant
  `,
  relation: `
    remiantis, pagal, vadovaujantis, remdamasis, remdamiesi, atsižvelgiant į, naudojant,
    naudodamasis, naudodamiesi, iš, tik iš, sutinkamai su, anot
  `,
  source: `
    dokumentas, dokumentai, dokumentus, dokumentu, dokumentų, dokumentais, dokumentuose, dokumente,
    dokumento, dokumentą, failas, failai, failus, failu, failų, failais, failuose, faile, failą,
    žinių baz*, priedas, priedai, priedus, priedu, priedais, prieduose, kontekst*, šaltinis,
    šaltiniai, šaltinius, šaltiniais, šaltiniuose, pdf, darbo srit*
  `,
  matter: `
    tekstas, tekstai, tekstą, tekstu, tekstus, tekste, medžiaga, medžiagą, medžiagoje, turinys,
    turinį, turiniu, duomenys, duomenis, duomenimis, informacija, informaciją, informacijos,
    dokumentacij*, puslapiai, straipsnis, straipsnį, straipsniu
  `,
  given: `
    įkelt*, pateikt*, pridėt*, duot*, nurodyt*, turim*, prieinam*, bendrinam*, esam*, aukščiau,
    žemiau, toliau, kuriuos įkėliau, įkėliau, prisegt*
  `,
  purpose: `
    rengiu, rengti, ruošiu, ruošiuosi, ruošti, rašau, rašyti, dirbu, mokausi, studijuoju, tyrinėju,
    ieškau, planuoju, darau, pagalbos, šiek tiek pagalbos, reikia pagalbos, praverstų, bandau,
    stengiuosi, domiuosi, naujas, nauja, labai praverstų
  `,
  setting: `
    pranešimas, pranešimą, pranešimui, pristatymas, pristatymą, kalbą, paskaita, paskaitą, trumpas,
    trumpą, mažas, mažą, esė, rašinys, rašinį, straipsnį, ataskaita, ataskaitą, darbas, darbą,
    bakalauro, magistro, namų darbai, namų darbus, užduotis, užduotį, projektas, projektą,
    egzaminas, egzaminui, testas, testui, kursas, pamoka, pamokai, seminaras, seminarui, mokymai,
    mokymams, susitikimas, susitikimui, interviu, kolega, kolegos, kolegoms, komanda, komandai,
    vadovas, vadovui, klientas, klientams, draugai, draugams, šeima, šeimai, vaikai, vaikams,
    studentas, studentė, mokinys, mokinė, mokiniai, mokytojas, mokytoja, dėstytojas, tyrėjas,
    žurnalistas, darbuotojas, darbuotoja, praktikantas, pradedantysis, mokykla, mokyklai,
    universitetas, universitete, darbe, biuras, įmonė, įmonėje, skyrius, tema, savaitė, savaitę,
    kitą, rytoj, šiandien, mėnuo, šiuo metu, pirmadienį, antradienį, trečiadienį, ketvirtadienį,
    penktadienį, tinklaraštis
  `,
  placeholder: "kas nors, kažkas, bet kas, kas dar, kur nors, ką dar",
  asking: `
    kas, ką, kam, kieno, koks, kokia, kokie, kokios, kokį, kokią, kur, kada, kodėl, kiek, kelinta,
    kuomet, iš kur
  `,
  mention: "žodis, žodžio, reiškia, sakoma, terminas",
};
