# gpuboot-reach: listens on ports for some seconds and tries those of other hosts. See agent.go for its lines.
import errno, os, select, socket, sys, threading, time

token, life, wait, listen = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]) / 1000, sys.argv[4]
guard, slots = threading.Lock(), threading.Semaphore(64)


def say(*words):
    with guard:
        os.write(1, (" ".join(map(str, words)) + "\n").encode())


def make(kind, addr):
    family = socket.AF_INET6 if ":" in addr else socket.AF_INET
    return socket.socket(family, socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM)


def spawn(work, *args):
    t = threading.Thread(target=work, args=args)
    t.daemon = True
    t.start()


def exactly(conn, n):
    while n > 0:
        got = len(conn.recv(min(n, 65536)))
        if got == 0:
            raise EOFError
        n -= got


def greet(conn):
    try:
        conn.settimeout(10)
        conn.sendall((token + "\n").encode())
        n = b""
        while not n.endswith(b"\n"):
            c = conn.recv(1)
            if not c:
                return
            n += c
        exactly(conn, int(n))
        conn.sendall(b"x" * int(n))
        conn.recv(1)
    except (OSError, EOFError, ValueError):
        pass
    finally:
        conn.close()


def accept(s):
    while True:
        try:
            conn = s.accept()[0]
        except OSError:
            continue
        spawn(greet, conn)


def echo(s):
    while True:
        try:
            data, peer = s.recvfrom(65535)
            words = data[:64].split()
            if len(data) > 60 and len(words) > 1:
                s.sendto(token.encode() + b" " + words[1], peer)
        except OSError:
            pass


def failure(e):
    if isinstance(e, socket.timeout):
        return "timeout", 0
    if e.errno == errno.ECONNREFUSED:
        return "refused", 0
    if e.errno in (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EACCES, errno.EPERM):
        return "unreachable", e.errno
    if e.errno == errno.ETIMEDOUT:
        return "timeout", 0
    return "error", e.errno or 0


def tcp(addr, port, want, bulk):
    s = make("tcp", addr)
    try:
        s.settimeout(wait)
        s.connect((addr, port))
        if want == "-":
            return "open", 0
        try:
            text = b""
            while not text.endswith(b"\n") and len(text) < 200:
                c = s.recv(1)
                if not c:
                    break
                text += c
        except OSError:
            return "stranger", 0
        if text.decode("latin-1").strip() != want:
            return "stranger", 0
        if bulk:
            try:
                s.sendall(("%d\n" % bulk).encode() + b"x" * bulk)
                exactly(s, bulk)
            except (OSError, EOFError):
                return "stall", 0
        return "open", 0
    except OSError as e:
        return failure(e)
    finally:
        s.close()


class Path:
    def __init__(self, s, want, head):
        self.s, self.want, self.head, self.bad, self.strange = s, want, head, None, False

    def round(self, sizes, tries):
        got, top = set(), sizes[-1]
        for _ in range(tries):
            sent = set()
            for n in sizes:
                if n in got:
                    continue
                text = ("%s %d " % (self.want, n)).encode()
                try:
                    self.s.send(text + b"x" * (n - self.head - len(text)))
                    sent.add(n)
                except OSError as e:
                    if e.errno != errno.EMSGSIZE:
                        self.bad = e
            end = time.time() + 0.25
            while not sent <= got and top not in got:
                left = end - time.time()
                if left <= 0 or not select.select([self.s], [], [], left)[0]:
                    break
                try:
                    words = self.s.recv(2048).split()
                except OSError as e:
                    self.bad = e
                    break
                if len(words) == 2 and words[0].decode("latin-1") == self.want:
                    got.add(int(words[1]))
                elif len(words) == 2:
                    self.strange = True
            if top in got:
                break
        return got


def udp(addr, port, want, mtu):
    s = make("udp", addr)
    try:
        v6 = ":" in addr
        # IP_MTU_DISCOVER or IPV6_MTU_DISCOVER: PROBE sets DF and believes no cache.
        s.setsockopt(socket.IPPROTO_IPV6 if v6 else socket.IPPROTO_IP, 23 if v6 else 10, 3)
        s.connect((addr, port))
        p = Path(s, want, 48 if v6 else 28)
        if not p.round([200], 5):
            if p.strange:
                return "stranger", 0
            return failure(p.bad) if p.bad else ("timeout", 0)
        if p.round([mtu], 3):
            return "open", mtu
        low, high = 200, mtu
        while high - low > 1:
            step = max(1, (high - low) // 12)
            sizes = list(range(low + step, high, step))
            got = p.round(sizes, 2)
            if got:
                low = max(got)
            high = min([n for n in sizes if n > low] + [high])
        return "open", low
    except OSError as e:
        return failure(e)
    finally:
        s.close()


def attempt(ident, kind, addr, port, want, n):
    try:
        say(ident, *(tcp if kind == "tcp" else udp)(addr, int(port), want, int(n)))
    finally:
        slots.release()


end = threading.Timer(life, os._exit, [1])
end.daemon = True
end.start()
for spec in [x for x in listen.split(",") if x]:
    kind, addr, port = spec.split("/")
    s = make(kind, addr)
    try:
        if kind == "tcp":
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind((addr, int(port)))
        if kind == "tcp":
            s.listen(128)
    except OSError:
        say("taken", kind, addr, port)
        continue
    spawn(accept if kind == "tcp" else echo, s)
say("ready", "python")
for line in iter(sys.stdin.readline, ""):
    words = line.split()
    if len(words) == 6:
        slots.acquire()
        spawn(attempt, *words)
os._exit(0)
