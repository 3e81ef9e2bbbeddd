import type { FillerPhrases } from "../filler-roles.ts";

export const finnishFillers: FillerPhrases = {
  glue: `
    ja, tai, mutta, niin, myös, vain, ainoastaan, pelkästään, hyvin, erittäin, vähän, mielellään,
    että, joka, jotka, jota, on, ovat, ole, olisi, oli, olla, olet, olette, sinä, sinun, sinulla,
    te, teidän, se, sen, sitä, siihen, siitä, siinä, ne, niitä, niiden, niistä, tämä, tämän, tätä,
    tässä, nämä, näiden, näitä, ei, en, et, älä, eikä, äläkä, älkää, eivät, jos, koska, kun, kuin,
    varten, kanssa, ilman, voi, voit, voitte, mahdollista, mahdollisimman, haluan, haluaisin,
    pitää, täytyy, kaikki, kaikkia, kukin, jokainen, täällä, nyt, kyllä, ok, sitten, muuten,
    sen sijaan, jotain, jotakin, muutama, joitakin, ihan, ystävällinen, hieman, mitään, sinne, itse
  `,
  self: `
    minä, mä, minun, mun, minulla, minua, minulle, olen, tarvitsen, me, meidän, meillä, meille,
    haluan, haluaisin, kollegoilleni, kollegoideni, työkavereilleni, opettajalleni, tiimilleni
  `,
  modal: `
    voitko, voisitko, voitteko, voisitteko, voisitko sinä, voiko joku, voisiko joku, voinko,
    voisinko, voimmeko, saanko, onko mahdollista, olisiko mahdollista, viitsitkö, viitsisitkö,
    pystytkö, pystyisitkö, haluaisitko, voidaanko
  `,
  please: `
    kiitos, ole hyvä ja, olkaa hyvä ja, ole hyvä, olkaa hyvä, ole kiltti, ole kiltti ja,
    ystävällisesti, pyydän, jos mahdollista, mikäli mahdollista, jos voit, jos ehdit, muuten
  `,
  ask: `
    kerro, kerro minulle, kertoa, kertoa minulle, kertoisitko, kertokaa, kertoa meille, sano,
    sanoa, selitä, selitä minulle, selittää, selittää minulle, selittäisitkö, näytä, näytä minulle,
    anna minulle, auta minua, auttaa minua, auttaa, auttaisitko, auttaa minua ymmärtämään, kuvaile,
    kuvailla, kuvaa, tarkenna, muistuta minua, tiedätkö, tiedättekö, tietääkö joku,
    satutko tietämään, mietin, ihmettelen, pohdin, haluan tietää, haluaisin tietää, halusin tietää,
    tahtoisin tietää, haluan kysyä, haluaisin kysyä, olen utelias, minua kiinnostaa,
    minua kiinnostaisi, minulla on kysymys, minulla olisi kysymys, yksi kysymys, nopea kysymys,
    pikainen kysymys, lyhyt kysymys, kysymykseni on, kysymykseni, kysymys on
  `,
  learn: `
    tietää, oppia, kysyä, ymmärtää, selvittää, löytää, saada selville, kuulla, ymmärtämään,
    selvittämään, löytämään
  `,
  after: "että, minulle, meille, lisää, siitä",
  greeting: `
    hei, moi, terve, moikka, heippa, hyvää huomenta, huomenta, hyvää päivää, päivää, hyvää iltaa,
    hei kaikki, moi kaikki, hei taas, hyvä, arvoisa, mitä kuuluu, miten menee, toivottavasti,
    toivon, anteeksi, pahoittelen, pahoittelut, anteeksi että, kysymys
  `,
  closing: `
    kiitos, kiitoksia, kiitos paljon, paljon kiitoksia, suuri kiitos, kiitos etukäteen,
    kiitos jo etukäteen, kiitän, kiitollinen, arvostan, arvostaisin, terveisin,
    ystävällisin terveisin, parhain terveisin, t, yt, näkemiin, hei hei, hyvää päivänjatkoa,
    mukavaa päivää, hyvää viikonloppua
  `,
  courtesy: `
    etukäteen, jo, häiriö, häiriötä, häiritsen, häiritä, vaivaan, vaiva, aikaa, ajasta, ajastasi,
    apua, avusta, avustasi, avun, kärsivällisyydestä, ystävällinen, kuuluu, hyvää, päivää, päivän,
    kaikki, tiimi, taas, paljon, viesti, vastauksesta, vastausta, tyhmä, hyvin, voit
  `,
  verb: `
    vastaa, vastata, vastatkaa, vastaisitko, kirjoita, kirjoittaa, muotoile, muotoilla, anna,
    antaa, esitä, esittää, näytä, pidä, pitää, käytä, käyttää, luettele, listaa, tee, tehdä,
    rajoita, vältä, lainaa, siteeraa, mainitse, ilmoita, sisällytä, ole, jäsennä, lisää, perusta,
    etsi, katso, lue, tarkista, hae, keksi, arvaa, arvaile, sano, mieti, ajattele, puhu, käännä,
    tiivistä
  `,
  answer: `
    vastaus, vastausta, vastauksen, vastauksesi, vastaukset, vastauksena, selitys, selityksen,
    tulos, tulokset, väite, väitteet, kysymykseen
  `,
  adverb: `
    lyhyesti, ytimekkäästi, lyhyesti ja ytimekkäästi, tiiviisti, suppeasti, pähkinänkuoressa,
    yksityiskohtaisesti, perusteellisesti, laajasti, vaihe vaiheelta, askel askeleelta,
    kohta kohdalta, yksinkertaisesti, yksinkertaisin sanoin, yksinkertaisilla sanoilla,
    selkokielellä, selkeästi, ymmärrettävästi, kansankielellä, omin sanoin, muutamalla sanalla,
    luettelona, luettelomuodossa, luettelomerkein, listana, listamuodossa, taulukkona,
    taulukkomuodossa, luettelon muodossa, listan muodossa, taulukon muodossa, ranskalaisin viivoin,
    esimerkkien kanssa, esimerkein, lähteineen, lähdeviitteineen, kuin viisivuotiaalle,
    kuin lapselle, sanatarkasti, mahdollisimman lyhyesti
  `,
  manner: `
    lyhyt, lyhyen, lyhyttä, lyhyenä, tiivis, ytimekäs, yksityiskohtainen, luettelo, luettelon,
    luettelomerk*, luetteloa, luettelomuoto*, numeroitu luettelo, yksinkertaisi*,
    yhdellä lauseella, kahdella lauseella, parilla lauseella, kolmella lauseella,
    muutamalla lauseella, yhdessä lauseessa, kahdessa lauseessa, yhdessä kappaleessa,
    ammattikieltä, jargonia, keksi mitään, keksi, et tiedä, et ole varma, arvaile, spekuloi,
    rehellinen, yleistietoa, kyllä tai ei, muodolliseen sävyyn, ystävälliseen sävyyn, kohteliaasti,
    lähdeviit*, lähteesi, sivunumero*
  `,
  form: `
    lista, listan, listaa, taulukko, taulukon, taulukkoa, muoto, muodossa, otsikko, otsikot,
    otsikoita, lihavoi*, suomeksi, suomen, englanniksi, englannin, saksaksi, ranskaksi, espanjaksi,
    ruotsiksi, norjaksi, tanskaksi, arabiaksi, kiinaksi, venäjäksi, kieli, kielellä, kieltä, tyyli,
    tyylillä, sävy, sävyyn, selkeä, selkeää, tarkka, tarkasti, täydellinen, pitkä, pitkään, rivi,
    riviä, kohta, kohtaa, esimerkki, esimerkkejä, esimerkin, lähde, lähteet, lähteitä, lainaus,
    lainaukset, viite, viitteet, sivu, muodollinen, muodollisesti, numeroitu, jäsennelty,
    aloittelija, lapsi, yksityiskohdat, faktat, järjestys, varma, markdownissa, markdown muodossa,
    markdownina
  `,
  unit: `
    lause, lauseen, lauseessa, lausetta, lauseella, virke, virkettä, virkkeellä, virkkeessä, sana,
    sanaa, sanalla, sanan, kappale, kappaletta, kappaleessa, merkkiä, riviä, rivillä, kohtaa
  `,
  amount: `
    yksi, yhden, yhdessä, yhdellä, kaksi, kahden, kahdessa, kahdella, kolme, kolmessa, kolmella,
    neljä, viisi, viidellä, kuusi, seitsemän, kahdeksan, yhdeksän, kymmenen, viisikymmentä, sata,
    muutama, muutamassa, muutamalla, pari, parissa, parilla, enintään, korkeintaan, vähintään,
    alle, yli, noin, tai, lyhyt, enimmillään
  `,
  lead: `
    yhdessä, yhdellä, kahdessa, kahdella, kolmessa, kolmella, viidellä, muutamassa, muutamalla,
    parissa, parilla, ilman, enintään, korkeintaan, alle
  `,
  relation: `
    perusteella, pohjalta, mukaan, perustuen, nojalla, käyttäen, avulla, vain, huomioiden,
    tukeutuen, löytyykö, pohjautuen
  `,
  source: `
    asiakirja, asiakirjat, asiakirjojen, asiakirjan, asiakirjoja, asiakirjoista, asiakirjoissa,
    asiakirjoihin, dokumentti, dokumentin, dokumentit, dokumenttien, dokumentteja, dokumenteista,
    dokumenteissa, dokumentteihin, tiedosto, tiedoston, tiedostot, tiedostojen, tiedostoja,
    tiedostoista, tiedostoissa, tietopohja*, tietokanna*, tietämyskan*, liite, liitteet,
    liitteiden, liitteestä, konteksti*, lähde, lähteet, lähteiden, lähteistä, pdf, aineisto,
    aineiston, työtila*
  `,
  matter: `
    teksti, tekstin, tekstien, tekstistä, tekstissä, materiaali, materiaalin, materiaalien,
    sisältö, sisällön, tiedot, tietojen, tietoja, dokumentaatio*, sivut, sivujen, artikkeli,
    artikkelin
  `,
  given: `
    ladattu, ladattujen, ladatun, ladattuihin, lataamieni, lataamani, lataamiini, lähetettyjen,
    annettu, annetun, annettujen, annettuihin, liitetty, liitettyjen, liitetyn, toimitettu,
    toimitettujen, oheinen, oheisen, oheisten, yllä, yllä olevan, yllä olevien, alla, seuraava,
    seuraavan, seuraavien, saatavilla olevien, jaettujen, käytettävissä
  `,
  purpose: `
    valmistelen, valmistella, kirjoitan, kirjoittaa, työskentelen, opiskelen, opiskella, tutkin,
    etsin, haen, suunnittelen, teen, pidän, laadin, apua, hiukan apua, tarvitsen apua, tarvitsisin,
    kaipaisin, kaipaan, yritän, kiinnostunut, uusi, opettelen, arvostaisin
  `,
  setting: `
    esitelmä, esitelmää, esitys, esitystä, esityksen, puhe, puhetta, luento, luentoa, lyhyttä,
    lyhyt, pieni, pientä, essee, esseetä, artikkelia, raportti, raporttia, tutkielma, tutkielmaa,
    opinnäyte*, tehtävä, tehtävää, läksy*, projekti, projektia, tentti*, koe, koetta, kokeeseen,
    kurssi, kurssia, kurssille, oppitun*, seminaari*, työpaja*, koulutus*, kokous, kokousta,
    kokoukseen, haastattelu*, kollega*, kollegoille, työkaver*, tiimi*, pomo*, asiakas, asiakka*,
    ystäv*, perhe*, laps*, opiskelija, oppilas, oppila*, opettaja*, tutkija, toimittaja,
    työntekijä, harjoittelija, aloittelija, koulu*, yliopisto*, työ, työtä, työssä, toimisto*,
    yritys, yrityksessä, osasto*, aihe, viikko, viikolla, ensi, huomenna, tänään, kuukausi,
    juuri nyt, maanantai*, tiistai*, keskiviikko*, torstai*, perjantai*, blogi*
  `,
  placeholder: "joku, jossain, joku muu, kuka tahansa, mitä muuta, kuka muu",
  asking: `
    kuka, kenen, ketkä, mikä, mitkä, mitä, missä, mistä, mihin, minne, milloin, miksi, miten,
    kuinka, montako, paljonko
  `,
  mention: "sana, sanan, tarkoittaa, sanotaan, termi",
};
