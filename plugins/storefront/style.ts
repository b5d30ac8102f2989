/** The style sheet of the pages for people: light and dark, from 320 px on, no font of another host. */
export const STYLE = `
:root{color-scheme:light dark;--text:light-dark(#1b1f24,#e8eaed);--quiet:light-dark(#57606a,#a3abb5);--back:light-dark(#fff,#14171a);--card:light-dark(#f6f7f9,#1d2126);--line:light-dark(#d5dae0,#353b43);--link:light-dark(#0b5cad,#7ab8ff);--accent:light-dark(#0b5cad,#2874c7);--ok:light-dark(#1a6b30,#6bd089);--warn:light-dark(#8a5a00,#e9b44c);--bad:light-dark(#b3261e,#ff8a80);--coin:light-dark(#8a5a12,#e2b15d);--glow:light-dark(#fbf1dd,#2a2417)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:0 1.25rem;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,sans-serif}
a{color:var(--link)}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:.5rem;background:var(--back);padding:.4rem .8rem;z-index:1}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;justify-content:space-between;padding:1rem 0;border-bottom:1px solid var(--line)}
.name{display:inline-flex;gap:.6rem;align-items:center;font-weight:700;font-size:1.15rem;color:var(--text);text-decoration:none}
nav{display:flex;flex-wrap:wrap;gap:.35rem 1.1rem}
header nav a,footer nav a{display:inline-block;padding:.2rem 0}
h1{font-size:clamp(1.6rem,4vw,2.3rem);line-height:1.2;margin:1.6rem 0 .5rem;text-wrap:balance}
h2{font-size:1.3rem;margin:2.2rem 0 .6rem}h3{font-size:1.05rem;margin:0 0 .2rem}
.lead{font-size:1.1rem;color:var(--quiet);max-width:46rem;margin:.2rem 0 1rem}
.sandbox{margin:1rem 0 0;padding:.6rem .9rem;border-left:4px solid var(--warn);background:var(--card);border-radius:4px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:1rem;padding:0;list-style:none}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem;display:flex;flex-direction:column;gap:.35rem;min-width:0}
.card p{margin:0;color:var(--quiet)}.cards .card p:first-of-type{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden}.card .price{margin-top:auto;color:var(--text)}
.price{font-weight:650}.price small{font-weight:400;color:var(--quiet)}
code,pre,textarea{font:.86rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
h1,h2,h3,p,li,dt,dd,label,summary,code{overflow-wrap:anywhere}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem;overflow:auto;margin:.4rem 0;max-height:26rem}
pre code{overflow-wrap:normal}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1rem}.two>*{min-width:0}
.table{overflow-x:auto}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}th{font-weight:600}.n{text-align:right;white-space:nowrap}
.ok,.ready{color:var(--ok)}.degraded,.stopping{color:var(--warn)}.down,.unavailable,.bad{color:var(--bad)}.quiet{color:var(--quiet)}
details{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:0 .9rem;background:var(--card)}summary{cursor:pointer;padding:.6rem 0}details pre{background:var(--back)}
.method{display:inline-block;min-width:4.2em;font-weight:700;font-size:.8rem}
form{display:grid;gap:.6rem;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem}
label{font-weight:600;display:grid;gap:.25rem}label small{font-weight:400;color:var(--quiet)}
input,textarea,button{font:inherit;font-weight:400;color:inherit;background:var(--back);border:1px solid var(--line);border-radius:6px;padding:.5rem .7rem;width:100%}
textarea{font:.9rem/1.5 ui-monospace,Menlo,monospace;min-height:8rem;resize:vertical}
button{width:auto;background:var(--accent);color:#fff;border-color:transparent;font-weight:600;cursor:pointer;min-height:44px}a.host{display:inline-flex;align-items:center;min-height:44px;padding:0 .9rem;border:1px solid var(--line);border-radius:6px;font-weight:600;text-decoration:none}p.hosts{display:flex;gap:.5rem;flex-wrap:wrap}button.second{background:transparent;color:var(--link);border-color:var(--line)}button:disabled{opacity:.6;cursor:default}
.buttons{display:flex;flex-wrap:wrap;gap:.6rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
ol.steps{padding-left:1.3rem;margin:.3rem 0}ol.steps li{margin:.2rem 0}
.needs-script{display:none}.has-script .needs-script{display:grid}.has-script .without-script{display:none}
.hero{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem 2.5rem;align-items:center;margin:1.2rem 0 .6rem;padding:clamp(1.2rem,4vw,2.6rem);border:1px solid var(--line);border-radius:16px;background:linear-gradient(135deg,var(--glow),var(--back) 65%)}
@media (min-width:62rem){.hero{grid-template-columns:minmax(0,1.05fr) minmax(0,1fr)}.hero h1{font-size:2.9rem}}
.hero h1{margin:.5rem 0;letter-spacing:-.02em}
.pill{margin:0}.pill span{display:inline-block;padding:.15rem .75rem;border:1px solid var(--line);border-radius:99px;background:var(--back);font-size:.9rem}
.facts{list-style:none;padding:0;margin:0 0 1.1rem;display:grid;gap:.3rem}.facts li{padding-left:1.4rem}.facts li::before{content:"✓";color:var(--coin);font-weight:700;display:inline-block;width:1.4rem;margin-left:-1.4rem}
.exchange pre{margin:.5rem 0;background:var(--back);max-height:14rem}.exchange p{margin:0}
a.host.main{background:var(--accent);color:#fff;border-color:transparent}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0;margin:1rem 0 0}.chips a{display:inline-flex;gap:.4rem;align-items:center;min-height:36px;padding:0 .8rem;border:1px solid var(--line);border-radius:99px;text-decoration:none}.chips small{color:var(--quiet)}
.cards .card{position:relative}.cards .card:hover{border-color:var(--coin)}.cards h3 a{text-decoration:none}.cards h3 a::after{content:"";position:absolute;inset:0;border-radius:10px}.cards h3 a:hover{text-decoration:underline}
.copyable{position:relative}.copy{position:absolute;top:.35rem;right:.35rem;min-height:30px;padding:0 .6rem;font-size:.8rem;background:var(--card);color:var(--link);border-color:var(--line)}.copyable pre{padding-top:2.2rem}
section[aria-labelledby]{scroll-margin-top:1rem}
footer{margin:3rem 0 1.5rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--quiet);font-size:.92rem}
@media print{nav,form,.skip,.copy,.buttons,p.hosts{display:none!important}pre{max-height:none;overflow:visible;white-space:pre-wrap;overflow-wrap:anywhere}.card,pre,tr{break-inside:avoid}.two{grid-template-columns:minmax(0,1fr)}}
@media (prefers-reduced-motion:no-preference){a,button{transition:opacity .15s}}
`
